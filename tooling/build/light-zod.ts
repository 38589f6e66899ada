import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Options } from 'tsup';
import { shortenNames } from './short-names.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** The names of `zod/mini` and of its core by which data is read. */
const FACES: Readonly<Record<string, string>> = {
  mini: [...['parse', 'schemas', 'checks'].map(all), one('iso'), one('coerce')].join('\n'),
  core: [
    ...['core', 'parse', 'errors', 'schemas', 'checks', 'versions', 'registries', 'api'].map(all),
    ...['util', 'regexes'].map(one),
  ].join('\n'),
};

/**
 * Lets `zod/mini` load without what makes JSON Schemas of schemas and compiles them, 30 kB that the first line would wait
 * for: the bundler splits by file, and the MCP library uses most of what the two indexes offer. The library itself keeps
 * the whole of them.
 */
export const lightZod: Plugin = {
  name: 'light-zod',
  setup(build) {
    build.onResolve({ filter: /^zod\/mini$/ }, ({ importer }) => {
      if (importer.includes('node_modules')) return undefined;
      return face('mini', dirname(createRequire(importer).resolve('zod/v4/mini')));
    });
    build.onResolve({ filter: /^light-zod-core$/ }, ({ resolveDir }) => face('core', `${resolveDir}/../core`));
    build.onLoad({ filter: /.*/, namespace: 'light-zod' }, ({ path, pluginData: resolveDir }) => ({
      contents: FACES[path] ?? '',
      resolveDir,
    }));
    build.onLoad({ filter: /zod[\\/]v4[\\/]mini[\\/](?:schemas|checks|parse|iso|coerce)\.js$/ }, async ({ path }) => ({
      contents: await shortenNames((await readFile(path, 'utf8')).replace('"../core/index.js"', '"light-zod-core"')),
    }));
  },
};

function face(path: keyof typeof FACES, pluginData: string) {
  return { path, namespace: 'light-zod', pluginData, sideEffects: false };
}

function all(file: string): string {
  return `export * from "./${file}.js";`;
}

function one(file: string): string {
  return `export * as ${file} from "./${file}.js";`;
}
