import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
// By path: this file is loaded before the source condition below takes hold.
import { ConformanceReporter } from './packages/testkit/src/reporter.js';
import { versionDefine } from './tooling/build/version.js';

const root = fileURLToPath(new URL('.', import.meta.url));
const writesConformance = process.env.CONFORMANCE_WRITE === '1';

const UNIT = 'packages/*/src/**/*.test.{ts,tsx}';
const OTHERS = '{packages/*,e2e,examples,bench,tooling}/**/*.test.{ts,tsx}';
const SLOW = '**/*.slow.test.ts';
const NIGHTLY = '**/*.nightly.test.ts';
const NEVER = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  define: versionDefine,
  resolve: { conditions: ['@qwen/source'] },
  ssr: { resolve: { conditions: ['@qwen/source', 'node'] } },
  test: {
    // Quick tests share workers: importing the same files again took a third of the whole run.
    projects: [
      { extends: true, test: { name: 'unit', include: [UNIT], exclude: [...NEVER, SLOW, NIGHTLY], isolate: false } },
      {
        extends: true,
        test: { name: 'program', include: [OTHERS], exclude: [...NEVER, SLOW, NIGHTLY, UNIT], isolate: false },
      },
      { extends: true, test: { name: 'slow', include: [SLOW], exclude: NEVER } },
      { extends: true, test: { name: 'nightly', include: [NIGHTLY], exclude: NEVER } },
    ],
    environment: 'node',
    maxWorkers: 3,
    testTimeout: 30_000,
    unstubEnvs: true,
    // Real terminals, browsers and servers may starve once on a busy machine of CI; what fails twice has failed.
    retry: process.env.CI === undefined ? 0 : 1,
    reporters: [
      'default',
      new ConformanceReporter({
        root,
        requirementsFile: `${root}e2e/requirements.json`,
        pageFile: writesConformance ? `${root}docs/conformance.md` : undefined,
        print: (text) => process.stdout.write(`${text}\n`),
      }),
    ],
  },
});
