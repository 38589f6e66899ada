import { writeFile } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import manifest from './package.json' with { type: 'json' };

// ES modules in dist, CommonJS in dist/cjs, both as .js: a package.json beside the latter says what it is.
export default defineConfig({
  entry: ['src/index.ts', 'src/json-schema.ts', 'src/openai.ts', 'src/server.ts'],
  format: ['esm', 'cjs'],
  target: 'node22',
  clean: true,
  splitting: true,
  sourcemap: true,
  define: { __QWEN_VERSION__: JSON.stringify(manifest.version) },
  outExtension: () => ({ js: '.js' }),
  esbuildOptions(options, { format }) {
    if (format === 'cjs') options.outdir = 'dist/cjs';
  },
  onSuccess: () => writeFile('dist/cjs/package.json', '{ "type": "commonjs" }\n'),
});
