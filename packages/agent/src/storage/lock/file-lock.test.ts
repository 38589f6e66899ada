import { readdir, readFile, writeFile } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { withFileLock } from './file-lock.js';

test('changes run one after the other, and none is lost', async () => {
  await using folder = await temporaryFolder();
  const [lock, file] = [folder.resolve('lock'), await folder.write('count', '0')];
  const addOne = async (): Promise<void> => {
    const count = Number(await readFile(file, 'utf8'));
    await writeFile(file, String(count + 1));
  };
  await Promise.all(Array.from({ length: 10 }, () => withFileLock(lock, addOne)));
  expect(await readFile(file, 'utf8')).toBe('10');
  expect(await readdir(folder.path)).toEqual(['count']);
});

test('waiters of one process take turns in order', async () => {
  await using folder = await temporaryFolder();
  const lock = folder.resolve('lock');
  const order: number[] = [];
  await Promise.all(Array.from({ length: 30 }, (_, at) => withFileLock(lock, async () => order.push(at))));
  expect(order).toEqual(Array.from({ length: 30 }, (_, at) => at));
});

test('a change that fails frees the lock', async () => {
  await using folder = await temporaryFolder();
  const lock = folder.resolve('lock');
  await expect(withFileLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withFileLock(lock, async () => 'yes')).toBe('yes');
});

test('a timeout names the holder; a lock that cannot be created is reported', async () => {
  await using folder = await temporaryFolder();
  const lock = folder.resolve('lock');
  const late = withFileLock(lock, () => withFileLock(lock, async () => 'never', { waitMs: 0 }));
  await expect(late).rejects.toMatchObject({ code: 'storage_unwritable', data: { pid: process.pid } });
  await expect(withFileLock(folder.resolve('missing/lock'), async () => 'never')).rejects.toMatchObject({
    code: 'storage_unwritable',
  });
});

test('a lock of a dead process is taken over', async () => {
  await using folder = await temporaryFolder();
  const dead = { pid: 2 ** 22 + 1, start_time: '1', since: '2030-01-01T00:00:00.000Z', nonce: 'n' };
  const lock = await folder.write('lock', JSON.stringify(dead));
  expect(await withFileLock(lock, async () => 'mine')).toBe('mine');
});
