import { readFile, writeFile } from 'node:fs/promises';
import { transform } from 'esbuild';
import { defineConfig } from 'tsup';
import { writeThirdPartyLicenses } from '../cli/scripts/third-party-licenses.js';

// Bundles that share nothing: what `query()` needs, which loads in a few milliseconds; what `openSession()` needs on top;
// the MCP library, which loads with the first in-process server; what screens import, in browsers too; and what tests of
// apps import. Sharing would pull half of the others into the first.
// ES modules in dist, CommonJS in dist/cjs.
export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'start-session': 'src/session/start-session.ts',
    'serve-tools': 'src/mcp/serve-tools.ts',
    'terminal/index': 'src/terminal/index.ts',
    'testing/index': 'src/testing/index.ts',
  },
  format: ['esm', 'cjs'],
  target: 'node22',
  clean: true,
  splitting: false,
  metafile: true,
  external: ['./serve-tools.js', './start-session.js'],
  // `import.meta.url` is where the CLI is looked for; CommonJS has none of its own.
  shims: true,
  noExternal: [/^@qwen\/protocol/, /^zod/, /^@modelcontextprotocol\/sdk/, /^ajv/],
  outExtension: () => ({ js: '.js' }),
  esbuildOptions(options, { format }) {
    options.conditions = ['@qwen/source', 'node'];
    options.minifySyntax = true;
    options.minifyWhitespace = true;
    if (format === 'cjs') options.outdir = 'dist/cjs';
  },
  async onSuccess() {
    await writeFile('dist/cjs/package.json', '{ "type": "commonjs" }\n');
    await writeThirdPartyLicenses('dist');
    await shorten('dist/serve-tools.js', 'esm');
    await shorten('dist/cjs/serve-tools.js', 'cjs');
  },
});

/** Nearly all of it is the library of others, whose names nobody meets in a stack trace: it installs in half the size. */
async function shorten(file: string, format: 'esm' | 'cjs'): Promise<void> {
  const { code } = await transform(await readFile(file, 'utf8'), { minify: true, format, target: 'node22' });
  await writeFile(file, code);
}
