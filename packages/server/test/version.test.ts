import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const PRINT_VERSION = fileURLToPath(new URL('programs/print-version.js', import.meta.url));

test('the built server reports the version of its package', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PRINT_VERSION]);
  expect(stdout.trim()).toBe(manifest.version);
});
