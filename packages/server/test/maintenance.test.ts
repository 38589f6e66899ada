import { readFile, stat, writeFile } from 'node:fs/promises';
import { isolatedEnvironment, says, startScriptedModel, type TemporaryFolder, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createServer } from '../src/app/create-server.js';
import type { ServerOptions } from '../src/app/server-options.js';
import { SessionSweep } from '../src/core/session-retention.js';
import { backupStore, checkBackup, migrateStore, restoreStore } from '../src/maintenance/backup.js';
import { eventsUntil, ofType } from './served-core.js';

const token = 'a-token-of-at-least-16-characters';

function optionsIn(folder: TemporaryFolder, home: string, modelEnv: Record<string, string>): ServerOptions {
  const env = isolatedEnvironment(folder.resolve(home), modelEnv);
  return { store: folder.resolve(home, 'state'), token, workspace: folder.path, launch: { env } };
}

test('a backup of a running server restores sessions, events and the conversation', async () => {
  await using folder = await temporaryFolder();
  await using model = await startScriptedModel([says('first answer'), says('second answer')]);
  const backup = folder.resolve('backup');
  const options = optionsIn(folder, 'one', model.env);
  let id = '';
  {
    await using server = await createServer(options);
    const { url } = await server.listen({ port: 0 });
    const { sessions } = server.core;
    ({ id } = await sessions.create({ hasIncrements: false }));
    await sessions.send(id, { content: 'remember the word plum' });
    await eventsUntil(sessions, id, ofType('session.status_idle'));
    const ask = (authorization: string, body: object) =>
      fetch(`${url}/api/v1/admin/backup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify(body),
      });
    expect((await ask('Bearer wrong', { folder: backup })).status).toBe(401);
    expect((await ask(`Bearer ${token}`, { folder: 'relative' })).status).toBe(400);
    await expect(backupStore(options.store, folder.resolve('other'))).rejects.toMatchObject({ code: 'storage_busy' });
    expect((await ask(`Bearer ${token}`, { folder: backup })).status).toBe(200);
    expect((await ask(`Bearer ${token}`, { folder: backup })).status).toBe(400);
    await expect(restoreStore(options.store, backup)).rejects.toMatchObject({ code: 'storage_busy' });
    // Only what came before is in it.
    await sessions.delete(id);
  }
  expect(await checkBackup(backup)).toMatchObject({ sessions: 1 });
  for (const name of ['sessions.sqlite', 'events.sqlite', 'backup.json']) {
    expect([name, (await stat(`${backup}/${name}`)).mode & 0o777]).toEqual([name, 0o600]);
  }
  const target = optionsIn(folder, 'two', model.env);
  await restoreStore(target.store, backup, { launch: target.launch ?? {} });
  await expect(restoreStore(target.store, backup)).rejects.toMatchObject({ code: 'usage' });
  await restoreStore(target.store, backup, { replace: true, launch: target.launch ?? {} });
  await using restored = await createServer(target);
  const { sessions } = restored.core;
  expect((await sessions.history(id, { limit: 10, offset: 0 })).items).toMatchObject([
    { content: 'remember the word plum' },
    { content: 'first answer' },
  ]);
  await sessions.send(id, { content: 'which word?' });
  const before = (await sessions.log.read(id)).lastSeq;
  await eventsUntil(sessions, id, ofType('session.status_idle'), before - 1);
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('plum');
});

test('a damaged or incomplete backup is refused, and nothing is changed', async () => {
  await using folder = await temporaryFolder();
  const store = folder.resolve('state');
  await using server = await createServer({ store, token, workspace: folder.path });
  await server.core.sessions.create({ hasIncrements: false });
  await server.close();
  const backup = folder.resolve('backup');
  await backupStore(store, backup);
  const path = `${backup}/events.sqlite`;
  const bytes = await readFile(path);
  const before = await readFile(`${store}/sessions.sqlite`);
  for (const damaged of [bytes.subarray(0, bytes.length / 2), bytes.with(0, 0), Buffer.alloc(0)]) {
    await writeFile(path, damaged);
    await expect(restoreStore(store, backup, { replace: true })).rejects.toMatchObject({ code: 'storage_damaged' });
  }
  expect((await readFile(`${store}/sessions.sqlite`)).equals(before)).toBe(true);
  await writeFile(path, bytes);
  await writeFile(`${backup}/backup.json`, '{');
  await expect(checkBackup(backup)).rejects.toMatchObject({ code: 'storage_damaged' });
  await expect(checkBackup(folder.resolve('none'))).rejects.toMatchObject({ code: 'storage_damaged' });
  expect(await migrateStore(store)).toMatchObject([
    { file: 'sessions.sqlite', from: 2, to: 2 },
    { file: 'events.sqlite', from: 1, to: 1 },
  ]);
  await expect(backupStore('redis://127.0.0.1:1', folder.resolve('x'))).rejects.toMatchObject({ code: 'usage' });
});

test('sessions beyond the retention are deleted, except those at work', async () => {
  await using server = await createServer({ store: 'memory:', token });
  const { sessions } = server.core;
  const ids: string[] = [];
  for (const _ of [1, 2, 3]) ids.push((await sessions.create({ hasIncrements: false })).id);
  const busy = ids[0];
  const status = async (id: string) => (id === busy ? 'processing' : 'idle');
  const watched = {
    list: sessions.list.bind(sessions),
    delete: sessions.delete.bind(sessions),
    status,
  };
  const sweep = new SessionSweep({ sessions: watched, retention: { maxSessions: 1 }, onNotice: () => undefined });
  await sweep.run();
  await sweep.close();
  expect((await sessions.list({ limit: 10 })).sessions.map(({ id }) => id)).toContain(busy);
  expect(await sessions.count()).toBe(2);
});
