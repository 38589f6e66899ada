import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const WEB_CLASSES = fileURLToPath(new URL('./web-classes.ts', import.meta.url));
/** The classes of each client that would load the network stack behind Node's `fetch` if they were Node's own. */
const LIGHT_CLASSES = { openai: 'FormData, Headers, Response', '@google/genai': 'Headers' } as const;

/**
 * Makes the clients of the providers cheap to load, which is most of what a one-turn process costs
 * (docs/decisions/0004): they get web classes of ours, and the `openai` client leaves out the resources of its API, of
 * which we call none (`client.post` needs none). What a resource exports stays, as an empty class.
 */
export const lightProviderClients: Plugin = {
  name: 'light-provider-clients',
  setup(build) {
    build.onLoad({ filter: /node_modules\/openai\/resources\/.*\.mjs$/ }, async ({ path }) => ({
      contents: withoutContents(await readFile(path, 'utf8')),
    }));
    for (const [client, classes] of Object.entries(LIGHT_CLASSES)) {
      build.onLoad({ filter: new RegExp(`node_modules/${client}/.*\\.mjs$`) }, async ({ path }) => ({
        contents: `import { ${classes} } from ${JSON.stringify(WEB_CLASSES)};\n${withoutStreams(await readFile(path, 'utf8'))}`,
      }));
    }
  },
};

/** The clients ask whether Node has web streams before they ask whether a body is one; Node would load them to answer. */
function withoutStreams(source: string): string {
  return source.replaceAll('globalThis.ReadableStream', 'undefined');
}

function withoutContents(source: string): string {
  const declared = [...source.matchAll(/^export (?:class|const|function) (\w+)/gm)].map(([, name]) => name);
  const listed = [...source.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim().split(' as ').at(-1)),
  );
  const stars = [...source.matchAll(/^export \* from .*$/gm)].map(([line]) => line);
  const names = new Set([...declared, ...listed].filter(Boolean));
  return [...stars, ...[...names].map((name) => `export class ${name} {}`)].join('\n');
}
