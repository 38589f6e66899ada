import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const WEB_CLASSES = fileURLToPath(new URL('./web-classes.ts', import.meta.url));
/** Reading this global would load Node's web streams. */
const STREAM_CLASS = 'globalThis.ReadableStream';
/** Per client: global classes that load the network stack of `fetch`, and an expression that the patch needs. */
const CLIENTS = {
  openai: { classes: 'FormData, Headers, Response', usage: STREAM_CLASS },
  '@anthropic-ai/sdk': { classes: 'FormData, Headers, Response', usage: STREAM_CLASS },
  '@google/genai': { classes: 'Headers', usage: 'new Headers(' },
} as const;

export const RESOURCES = /node_modules[\\/](openai|@anthropic-ai[\\/]sdk)[\\/]resources[\\/].*\.mjs$/;

export function filesOf(library: string): RegExp {
  return new RegExp(`node_modules[\\\\/]${library.replace('/', '[\\\\/]')}[\\\\/].*\\.mjs$`);
}

/**
 * Reduces the load time of the provider clients, most of the cost of a one-turn process (docs/decisions/0004): replaces
 * web classes by small ones, and the API resources of the `openai` and Anthropic clients, which `client.post` does not
 * need, by empty classes. Throws with the name of the library if an upgrade breaks the patch.
 */
export const providerClients: Plugin = {
  name: 'provider-clients',
  setup(build) {
    const bundled = new Set<string>();
    const patched = new Set<string>();
    build.onLoad({ filter: RESOURCES }, async ({ path }) => ({
      contents: withoutContents(await readFile(path, 'utf8')),
    }));
    for (const [library, { classes, usage }] of Object.entries(CLIENTS)) {
      build.onLoad({ filter: filesOf(library) }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        bundled.add(library);
        if (source.includes(usage)) patched.add(library);
        const imports = `import { ${classes} } from ${JSON.stringify(WEB_CLASSES)};`;
        return { contents: `${imports}\n${source.replaceAll(STREAM_CLASS, 'undefined')}` };
      });
    }
    build.onEnd(() => {
      for (const library of bundled) {
        if (!patched.has(library)) {
          throw new Error(`This version of ${library} no longer fits: adapt tooling/build/provider-clients.ts to it.`);
        }
      }
    });
  },
};

function withoutContents(source: string): string {
  const declared = [...source.matchAll(/^export (?:class|const|var|function) (\w+)/gm)].map(([, name]) => name);
  const listed = [...source.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim().split(' as ').at(-1)),
  );
  const stars = [...source.matchAll(/^export \* from .*$/gm)].map(([line]) => line);
  const names = new Set([...declared, ...listed].filter(Boolean));
  return [...stars, ...[...names].map((name) => `export class ${name} {}`)].join('\n');
}
