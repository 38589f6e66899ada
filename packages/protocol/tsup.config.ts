import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/json-schema.ts'],
  format: 'esm',
  target: 'node22',
  clean: true,
});
