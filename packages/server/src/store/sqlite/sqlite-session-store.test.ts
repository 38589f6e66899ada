import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { aSession, aThread, aTurn, sessionStoreContract } from '../../../test/session-store.contract.js';
import { SqliteSessionStore } from './sqlite-session-store.js';

sessionStoreContract('SQLite', async () => {
  const folder = await temporaryFolder();
  const store = await SqliteSessionStore.open(folder.resolve('sessions.sqlite'));
  return {
    store,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
});

test('a reopened file contains everything and belongs to its owner only', async () => {
  await using folder = await temporaryFolder();
  const path = folder.resolve('state/sessions.sqlite');
  const first = await SqliteSessionStore.open(path);
  await first.create(aSession('a'), aThread('a'));
  const turn = aTurn('a', 't1');
  await first.addTurn({ turn, historyText: 'hello', maxOpenTurns: 1, refusal: 'overloaded' });
  await expect(SqliteSessionStore.open(path)).rejects.toMatchObject({
    code: 'storage_busy',
    message: `Another program uses ${path}. Stop the other qwen serve, or set another folder with --store.`,
  });
  await first.close();

  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const second = await SqliteSessionStore.open(path);
  expect(await second.get('a')).toEqual(aSession('a'));
  expect(await second.openTurns()).toEqual([turn]);
  expect(await second.threads('a')).toEqual([aThread('a')]);
  await second.close();
});

test('a file that is not a database is an error that states so', async () => {
  await using folder = await temporaryFolder();
  const path = folder.resolve('sessions.sqlite');
  await writeFile(path, 'this is no database, and long enough for a header of one: '.repeat(20));
  await expect(SqliteSessionStore.open(path)).rejects.toMatchObject({ code: 'storage_damaged' });
});

test.runIf(process.platform === 'linux')('a probe fails if nothing can be written, and leaves nothing', async () => {
  await using folder = await temporaryFolder();
  const path = folder.resolve('sessions.sqlite');
  const store = await SqliteSessionStore.open(path);
  const names = await readdir(folder.path);
  await store.probe();
  expect(await readdir(folder.path)).toEqual(names);
  await symlink('/dev/full', `${path}.probe`);
  await expect(store.probe()).rejects.toMatchObject({ code: 'storage_full' });
  await mkdir(`${path}.probe`);
  await expect(store.probe()).rejects.toMatchObject({ code: 'storage_unwritable' });
  await store.close();
  await expect(store.probe()).rejects.toMatchObject({ code: 'channel_closed' });
});
