import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Options } from 'tsup';
import { withoutUnusedParts } from './light-gemini-client.ts';
import { shortenNames } from './short-names.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const WEB_CLASSES = fileURLToPath(new URL('./web-classes.ts', import.meta.url));
/** By client: the classes that would load the network stack behind Node's `fetch` if they were Node's own. */
const CLIENTS = {
  openai: { classes: 'FormData, Headers, Response', lighten: (source: string) => withoutStreams(namingItself(source)) },
  '@google/genai': { classes: 'Headers', lighten: (source: string) => withoutStreams(withoutUnusedParts(source)) },
} as const;
/** What the parts that are left out would need; and streams for a Node that has none. */
const NEEDLESS = /^(?:ws|web-streams-polyfill\/.*)$/;

/**
 * Makes the clients of the providers cheap to load, which is most of what a one-turn process costs
 * (docs/decisions/0004): they get web classes of ours, and leave out what we do not call, of the `openai` client all
 * resources of its API (`client.post` needs none). What a resource exports stays, as an empty class.
 */
export const lightProviderClients: Plugin = {
  name: 'light-provider-clients',
  setup(build) {
    build.onLoad({ filter: /node_modules\/openai\/resources\/.*\.mjs$/ }, async ({ path }) => ({
      contents: withoutContents(await readFile(path, 'utf8')),
    }));
    for (const [client, { classes, lighten }] of Object.entries(CLIENTS)) {
      build.onLoad({ filter: new RegExp(`node_modules/${client}/.*\\.mjs$`) }, async ({ path }) => ({
        contents: await shortenNames(
          `import { ${classes} } from ${JSON.stringify(WEB_CLASSES)};\n${lighten(await readFile(path, 'utf8'))}`,
        ),
      }));
    }
    build.onResolve({ filter: NEEDLESS }, ({ path }) => ({ path, namespace: 'needless' }));
    build.onLoad({ filter: NEEDLESS, namespace: 'needless' }, () => ({ contents: '' }));
  },
};

/** The clients ask whether Node has web streams before they ask whether a body is one; Node would load them to answer. */
function withoutStreams(source: string): string {
  return source.replaceAll('globalThis.ReadableStream', 'undefined');
}

/** It tells the endpoint the name of its class, which would keep all names of the file as they are. */
function namingItself(source: string): string {
  return source.replace('this.constructor.name', "'OpenAI'");
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
