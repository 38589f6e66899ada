import { readFile } from 'node:fs/promises';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const REQUEST_MEANING = /^(\s+meaning:)\s+(?:'[^'\n]*'|"[^"\n]*"),$/gm;
const CODE_MEANING = /(?<=\brow\(\s*)'[^'\n]*'(?=,)/g;

/** Empties the descriptions of control requests and error codes: the CLI never shows them, but each start reads them. */
export const withoutMeanings: Plugin = {
  name: 'without-meanings',
  setup(build) {
    build.onLoad({ filter: /[\\/]protocol[\\/]src[\\/](?:errors|requests[\\/][\w-]+)\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: source.replaceAll(REQUEST_MEANING, "$1 '',").replaceAll(CODE_MEANING, "''"), loader: 'ts' };
    });
  },
};
