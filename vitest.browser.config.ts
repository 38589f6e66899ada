import { defineConfig } from 'vitest/config';
import base from './vitest.config.js';

const { projects: _, ...test } = base.test ?? {};

// Tests that need a Chromium, which not every machine has: `pnpm test:browser`.
export default defineConfig({ ...base, test: { ...test, include: ['{examples,packages/server}/**/*.browser.ts'] } });
