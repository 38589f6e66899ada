import { writeFile } from 'node:fs/promises';
import { defineConfig } from 'tsup';

// ES modules in dist, CommonJS in dist/cjs, both as .js: a package.json beside the latter says what it is.
export default defineConfig({
  entry: ['src/index.ts', 'src/json-schema.ts', 'src/openai.ts', 'src/server.ts'],
  format: ['esm', 'cjs'],
  target: 'node22',
  clean: true,
  splitting: true,
  outExtension: () => ({ js: '.js' }),
  esbuildOptions(options, { format }) {
    if (format === 'cjs') options.outdir = 'dist/cjs';
  },
  onSuccess: () => writeFile('dist/cjs/package.json', '{ "type": "commonjs" }\n'),
});
