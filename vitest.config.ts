import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['@qwen/source'] },
  ssr: { resolve: { conditions: ['@qwen/source', 'node'] } },
  test: {
    include: ['{packages/*,e2e,examples,bench}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    environment: 'node',
    maxWorkers: 2,
    testTimeout: 30_000,
  },
});
