import { readFile, rm, writeFile } from 'node:fs/promises';
import { transform } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import { shortNames } from '../cli/scripts/short-names.js';
import { writeThirdPartyLicenses } from '../cli/scripts/third-party-licenses.js';

// Bundles that share nothing: what `query()` needs, which loads in a few milliseconds; what `openSession()` needs on top;
// the MCP library, which loads with the first in-process server; what screens import, in browsers too; and what tests of
// apps import. Sharing would pull half of the others into the first.
// ES modules in dist, CommonJS in dist/cjs. What loads on demand is there once: CommonJS imports the module.
const entries = {
  index: 'src/index.ts',
  'terminal/index': 'src/terminal/index.ts',
  'testing/index': 'src/testing/index.ts',
};
const onDemand = {
  'start-session': 'src/session/start-session.ts',
  'serve-tools': 'src/mcp/serve-tools.ts',
};

const settings = (format: 'esm' | 'cjs'): Options => ({
  entry: format === 'esm' ? { ...entries, ...onDemand } : entries,
  outDir: format === 'esm' ? 'dist' : 'dist/cjs',
  format,
  target: 'node22',
  splitting: false,
  metafile: format === 'esm',
  // `import.meta.url` is where the CLI is looked for; CommonJS has none of its own.
  shims: true,
  noExternal: [/^@qwen\/protocol/, /^zod/, /^@modelcontextprotocol\/sdk/, /^ajv/],
  outExtension: () => ({ js: '.js' }),
  esbuildPlugins: [leaveOnDemand(format === 'esm' ? './' : '../'), shortNames],
  esbuildOptions(options) {
    options.conditions = ['@qwen/source', 'node'];
    options.minifySyntax = true;
    options.minifyWhitespace = true;
  },
});

// Here and not by `clean`: the two builds run side by side, one inside of the other's folder.
await rm('dist', { recursive: true, force: true });

export default defineConfig([
  {
    ...settings('esm'),
    async onSuccess() {
      await writeThirdPartyLicenses('dist');
      await shorten('dist/serve-tools.js');
    },
  },
  {
    ...settings('cjs'),
    onSuccess: () => writeFile('dist/cjs/package.json', '{ "type": "commonjs" }\n'),
  },
]);

/** What loads on demand stays a file of its own, `folder` away from those that load it. */
function leaveOnDemand(folder: string): NonNullable<Options['esbuildPlugins']>[number] {
  const names = Object.keys(onDemand).join('|');
  return {
    name: 'leave-on-demand',
    setup: (build) => {
      build.onResolve({ filter: new RegExp(`^\\./(${names})\\.js$`) }, ({ path, kind }) =>
        kind === 'dynamic-import' ? { path: path.replace('./', folder), external: true } : undefined,
      );
    },
  };
}

/** Nearly all of it is the library of others, whose names nobody meets in a stack trace: it installs in half the size. */
async function shorten(file: string): Promise<void> {
  const { code } = await transform(await readFile(file, 'utf8'), { minify: true, format: 'esm', target: 'node22' });
  await writeFile(file, code);
}
