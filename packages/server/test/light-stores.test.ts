import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./programs/open-store.js', import.meta.url));

function openStore(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], { encoding: 'utf8' });
  return { status, loaded: stdout, stderr };
}

test('stores in memory and in files load no package for Redis', async () => {
  await using folder = await temporaryFolder();
  for (const store of ['memory:', folder.resolve('state')]) {
    expect(openStore(store)).toEqual({ status: 0, loaded: '', stderr: '' });
  }
});

test('a store in Redis without its packages names them', () => {
  const { status, stderr } = openStore('redis://127.0.0.1:1', 'without-packages');
  expect(status).toBe(1);
  expect(stderr).toContain('needs the packages bullmq and ioredis');
});
