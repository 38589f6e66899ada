import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/main.ts', 'src/scripted-cli.ts'],
  format: 'esm',
  target: 'node22',
  clean: true,
});
