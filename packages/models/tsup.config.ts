import { defineConfig } from 'tsup';

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/openai-compatible/index.ts',
    'src/responses/index.ts',
    'src/anthropic/index.ts',
    'src/gemini/index.ts',
  ],
  format: 'esm',
  target: 'node22',
  clean: true,
});
