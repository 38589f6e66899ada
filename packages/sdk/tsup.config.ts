import { readFile, rm, writeFile } from 'node:fs/promises';
import { lateBuiltins } from '@qwen/build/late-builtins.js';
import { shortNames } from '@qwen/build/short-names.js';
import { writeThirdPartyLicenses } from '@qwen/build/third-party-licenses.js';
import { transform } from 'esbuild';
import { defineConfig, type Options } from 'tsup';

// What `query()` needs, which loads in a few milliseconds, and what `openSession()` needs on top share a file. The others
// share nothing, or half of them would load with the first: the MCP library, which comes with the first in-process
// server; what screens import, in browsers too; and what tests of apps import.
// ES modules in dist, CommonJS in dist/cjs. What loads on demand is there once: CommonJS imports the module.
const entry = { index: 'src/index.ts' };
const others = { 'terminal/index': 'src/terminal/index.ts', 'testing/index': 'src/testing/index.ts' };
const session = { 'start-session': 'src/session/start-session.ts' };
const tools = { 'serve-tools': 'src/mcp/serve-tools.ts' };

const settings = (format: 'esm' | 'cjs'): Options => ({
  outDir: format === 'esm' ? 'dist' : 'dist/cjs',
  format,
  target: 'node22',
  splitting: false,
  removeNodeProtocol: false,
  // `import.meta.url` is where the CLI is looked for; CommonJS has none of its own.
  shims: format === 'cjs',
  noExternal: [/^@qwen\/protocol/, /^zod/, /^@modelcontextprotocol\/sdk/, /^ajv/],
  outExtension: () => ({ js: '.js' }),
  esbuildPlugins: [
    leaveOnDemand(format === 'esm' ? './' : '../'),
    ...(format === 'esm' ? [lateBuiltins] : []),
    shortNames,
  ],
  esbuildOptions(options) {
    options.conditions = ['@qwen/source', 'node'];
    options.chunkNames = 'core';
    options.minifySyntax = true;
    options.minifyWhitespace = true;
  },
});

// Here and not by `clean`: the builds run side by side, in one folder.
await rm('dist', { recursive: true, force: true });

export default defineConfig([
  { ...settings('esm'), entry: { ...entry, ...session }, splitting: true },
  {
    ...settings('esm'),
    entry: { ...others, ...tools },
    metafile: true,
    async onSuccess() {
      await writeThirdPartyLicenses('dist');
      await shorten('dist/serve-tools.js');
    },
  },
  {
    ...settings('cjs'),
    entry: { ...entry, ...others },
    onSuccess: () => writeFile('dist/cjs/package.json', '{ "type": "commonjs" }\n'),
  },
]);

/** What loads on demand stays a file of its own, `folder` away from those that load it. */
function leaveOnDemand(folder: string): NonNullable<Options['esbuildPlugins']>[number] {
  const names = Object.keys({ ...session, ...tools }).join('|');
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
