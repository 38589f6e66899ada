import { readFile } from 'node:fs/promises';
import { type Format, transform } from 'esbuild';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** At the beginning of a line, or behind a statement in a file that is one long line. */
const MODULE_SYNTAX = /^\s*(?:import|export)\b|[;}]export\s*\{/m;
const ASKS_ITS_CLASS = /\bthis\.constructor\.name\b/;

/**
 * Gives the code of others short names, file by file, with which it takes a third less room: nobody meets them in a
 * stack trace. Ours keeps its names. It stands behind the plugins that load files of others themselves; those call
 * {@link shortenNames}.
 */
export const shortNames: Plugin = {
  name: 'short-names',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => ({
      contents: await shortenNames(await readFile(path, 'utf8')),
    }));
  },
};

/**
 * The source of a file with other names for all that it keeps to itself. What it exports keeps its name; and a file whose
 * objects ask for the name of their class, as errors do, keeps all of them.
 */
export async function shortenNames(source: string): Promise<string> {
  // The names at the top of a file are its own only where the file is known to be a module, of either kind.
  const format: Format = MODULE_SYNTAX.test(source) ? 'esm' : 'cjs';
  const minifyIdentifiers = !ASKS_ITS_CLASS.test(source);
  const { code } = await transform(source, { format, minifyIdentifiers, target: 'node22' });
  return code;
}
