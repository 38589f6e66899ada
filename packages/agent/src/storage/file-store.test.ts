import { randomUUID } from 'node:crypto';
import { appendFile, lstat, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { SessionRecord } from '@qwen/protocol';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { newSession, prompt, prompts } from '../../test/records.js';
import { createFileStore, type FileStore } from './file-store.js';

/** Creates a closed session with these prompts. Returns its id and file. */
async function written(store: FileStore, directory: string, ...texts: readonly string[]) {
  const { sessionId, log } = await store.create(newSession());
  for (const text of texts) await log.append(prompt(text));
  await log.close();
  return { sessionId, file: `${directory}/${sessionId}.jsonl` };
}

async function reopened(store: FileStore, sessionId: string) {
  const session = await store.open(sessionId);
  await session.log.close();
  return { texts: prompts(session.records), notices: session.notices.map(({ code }) => code), session };
}

describe('files', () => {
  test('a session is one private file and opens from any folder', async () => {
    verifies('FB18');
    await using folder = await temporaryFolder();
    const directory = folder.resolve('deep/sessions');
    const store = createFileStore({ directory });
    const { sessionId, file } = await written(store, directory, 'one', 'two');
    expect((await lstat(directory)).mode & 0o777).toBe(0o700);
    expect((await lstat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(directory)).toSorted()).toEqual([basename(file)]);
    const { texts, notices, session } = await reopened(createFileStore({ directory }), sessionId);
    expect(texts).toEqual(['one', 'two']);
    expect(notices).toEqual([]);
    expect(session.records[0]).toMatchObject({ type: 'session', version: 1, session_id: sessionId, cwd: '/w/app' });
  });

  test('every record of a session in use can be read; a line that is being written is omitted', async () => {
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId, log } = await store.create(newSession());
    await log.append(prompt('one'));
    await log.append({ type: 'cleared', at: '2026-01-01T00:00:00.000Z' });
    await appendFile(folder.resolve(`${sessionId}.jsonl`), '{"type":"user","uu');
    const read: SessionRecord[] = [];
    await store.read(sessionId, { add: (record) => read.push(record) });
    expect(read.map(({ type }) => type)).toEqual(['session', 'user', 'cleared']);
    await log.close();
    await expect(store.read('nothing-of-the-kind', { add: () => undefined })).rejects.toMatchObject({
      code: 'session_not_found',
    });
  });

  test('a folder that others may read becomes private', async () => {
    await using folder = await temporaryFolder();
    await mkdir(folder.resolve('s'), { mode: 0o755 });
    await written(createFileStore({ directory: folder.resolve('s') }), folder.resolve('s'));
    expect((await lstat(folder.resolve('s'))).mode & 0o777).toBe(0o700);
  });

  test('missing, existing and invalid IDs are refused', async () => {
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId } = await written(store, folder.path);
    await expect(store.create({ ...newSession(), sessionId })).rejects.toMatchObject({ code: 'session_exists' });
    for (const id of ['../x', '', '.', '-x', 'a/b', 'NUL', 'x'.repeat(129)]) {
      await expect(store.create({ ...newSession(), sessionId: id })).rejects.toMatchObject({ code: 'usage' });
    }
    for (const id of [randomUUID(), '../x', '']) {
      await expect(store.open(id)).rejects.toMatchObject({ code: 'session_not_found' });
    }
    await expect(store.fork(randomUUID(), newSession())).rejects.toMatchObject({ code: 'session_not_found' });
    expect(await readdir(folder.path)).toEqual([`${sessionId}.jsonl`]);
  });

  test('a host may choose the ID', async () => {
    verifies('CF-64');
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { log } = await store.create({ ...newSession(), sessionId: 'session-123' });
    await log.close();
    const opened = await store.open('session-123');
    await opened.log.close();
    expect(opened.sessionId).toBe('session-123');
  });

  test('reports an unwritable location when the session begins', async () => {
    verifies('F86');
    await using folder = await temporaryFolder();
    const file = await folder.write('file', '');
    const store = createFileStore({ directory: `${file}/sessions` });
    await expect(store.create(newSession())).rejects.toMatchObject({ code: 'storage_unwritable' });
    expect(await store.latest('/w/app')).toBeUndefined();
  });

  test('links and other entries in place of a session file are not followed', async () => {
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const target = await folder.write('target', 'keep me');
    const id = randomUUID();
    await symlink(target, folder.resolve(`${id}.jsonl`));
    await expect(store.open(id)).rejects.toMatchObject({ code: 'storage_unwritable' });
    await expect(store.create({ ...newSession(), sessionId: id })).rejects.toMatchObject({ code: 'session_exists' });
    const other = randomUUID();
    await mkdir(folder.resolve(`${other}.jsonl`));
    await expect(store.open(other)).rejects.toMatchObject({ code: 'storage_unwritable' });
    expect(await readFile(target, 'utf8')).toBe('keep me');
    expect((await readdir(folder.path)).filter((name) => name.includes('lock'))).toEqual([]);
  });

  test('a session of a newer version is refused and left unchanged', async () => {
    verifies('F94');
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId, file } = await written(store, folder.path, 'one');
    const newer = (await readFile(file, 'utf8')).replace('"version":1', '"version":99') + 'torn';
    await writeFile(file, newer);
    await expect(store.open(sessionId)).rejects.toMatchObject({ code: 'session_newer_version' });
    await expect(store.fork(sessionId, newSession())).rejects.toMatchObject({ code: 'session_newer_version' });
    expect(await readFile(file, 'utf8')).toBe(newer);
  });
});

describe('damage', () => {
  test('a last line cut at any byte is removed, stored beside the file, and reported', async () => {
    verifies('F87', 'T32');
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId, file } = await written(store, folder.path, 'one', 'two ☃');
    const whole = await readFile(file);
    const start = whole.subarray(0, -1).lastIndexOf(10) + 1;
    for (let end = start + 1; end < whole.length - 1; end += 1) {
      await writeFile(file, whole.subarray(0, end));
      const { texts, notices } = await reopened(store, sessionId);
      expect([end, texts, notices]).toEqual([end, ['one'], ['tail_repaired']]);
      expect(await readFile(file)).toEqual(whole.subarray(0, start));
    }
    const backups = (await readdir(folder.path)).filter((name) => name.includes('.torn-'));
    expect(backups).toHaveLength(whole.length - 2 - start);
    const kept = await Promise.all(backups.map((name) => readFile(folder.resolve(name))));
    expect(kept.every((bytes) => whole.subarray(start).indexOf(bytes) === 0)).toBe(true);
  });

  test('a complete last line without a line feed is kept, and the next record gets a separate line', async () => {
    verifies('F89');
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId, file } = await written(store, folder.path, 'one');
    await writeFile(file, (await readFile(file, 'utf8')).trimEnd());
    const { log, notices } = await store.open(sessionId);
    await log.append(prompt('two'));
    await log.close();
    expect(notices).toEqual([]);
    expect((await reopened(store, sessionId)).texts).toEqual(['one', 'two']);
  });

  test('reports a damaged line by number, skips only that line and leaves the file unchanged', async () => {
    verifies('F88');
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId, file } = await written(store, folder.path, 'one');
    const line = (text: string) => JSON.stringify(prompt(text));
    const foreign = '{"type":"from_the_future","x":1}';
    const wrongShape = '{"type":"user","uuid":3}';
    const glued = `${line('two')}${line('three {"not": "a record"}')}`;
    const middle = [
      'half a li',
      glued,
      `${'\0'.repeat(4096)}${line('four')}`,
      '',
      foreign,
      wrongShape,
      '\u0001\xff[',
      '[1]',
      line('five'),
    ];
    await appendFile(file, `${middle.join('\n')}\n`);
    const before = await readFile(file);
    const { texts, session } = await reopened(store, sessionId);
    expect(texts).toEqual(['one', 'two', 'three {"not": "a record"}', 'four', 'five']);
    expect(session.notices).toMatchObject([{ code: 'records_damaged' }]);
    expect(session.notices[0]?.message).toMatch(/: 3, 4, 5, 8, 9, 10\.$/);
    expect(await readFile(file)).toEqual(before);
  });

  test('a damaged header does not lose the session', async () => {
    verifies('F88');
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId, file } = await written(store, folder.path, 'one', 'two');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^.{20}/, '\0'.repeat(20)));
    expect(await reopened(store, sessionId)).toMatchObject({ texts: ['one', 'two'], notices: ['records_damaged'] });
  });
});

describe('lists and forks', () => {
  test('the most recently used session comes first and belongs to its workspace', async () => {
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const ids: string[] = [];
    for (const cwd of ['/a', '/b', '/a']) {
      const { sessionId, log } = await store.create(newSession(cwd));
      await log.close();
      await utimes(folder.resolve(`${sessionId}.jsonl`), 0, 1000 + ids.push(sessionId));
    }
    await folder.write(`${randomUUID()}.jsonl`, 'no header');
    await folder.write('notes.txt', '');
    const { sessions } = await store.list({});
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(ids.toReversed());
    expect(await store.latest('/a')).toBe(ids[2]);
    expect(await store.latest('/b')).toBe(ids[1]);
    expect(await store.latest('/c')).toBeUndefined();
  });

  test('a fork copies the records of a session in use into its own file', async () => {
    verifies('F90');
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const source = await store.create(newSession('/source'));
    await source.log.append(prompt('one'));
    const fork = await store.fork(source.sessionId, newSession('/fork'));
    await fork.log.append(prompt('forked'));
    await source.log.append(prompt('two'));
    await Promise.all([source.log.close(), fork.log.close()]);
    const { texts, session } = await reopened(store, fork.sessionId);
    expect(texts).toEqual(['one', 'forked']);
    const header: SessionRecord | undefined = session.records[0];
    expect(header).toMatchObject({ type: 'session', cwd: '/fork', forked_from: source.sessionId });
    expect((await reopened(store, source.sessionId)).texts).toEqual(['one', 'two']);
  });

  test('a missing folder lists nothing', async () => {
    await using folder = await temporaryFolder();
    expect(await createFileStore({ directory: folder.resolve('none') }).latest('/a')).toBeUndefined();
  });
});
