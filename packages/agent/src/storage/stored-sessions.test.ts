import { utimesSync, writeFileSync } from 'node:fs';
import { appendFile, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { SESSION_FILE_VERSION } from '@qwen/protocol';
import { type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { answer, newSession, prompt, prompts, result } from '../../test/records.js';
import { foldRecords } from '../conversation/model-history.js';
import { createFileStore } from './file-store.js';

const AT = '2030-01-01T00:00:00.000Z';
const uuidOf = (index: number) => `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`;
const fileOf = (folder: TemporaryFolder, sessionId: string) => folder.resolve(`${sessionId}.jsonl`);

/** Session files by hand: as many as the store could have written, without the time that writing them takes. */
function fillFolder(folder: TemporaryFolder, count: number, cwdOf: (index: number) => string): void {
  for (let index = 0; index < count; index += 1) {
    const id = uuidOf(index);
    const header = {
      type: 'session',
      version: SESSION_FILE_VERSION,
      session_id: id,
      cwd: cwdOf(index),
      created_at: AT,
    };
    const file = fileOf(folder, id);
    writeFileSync(file, `${JSON.stringify(header)}\n${JSON.stringify(prompt(`prompt ${index}`))}\n`);
    utimesSync(file, 0, 1_000 + index);
  }
}

describe('lists', () => {
  test("the first prompt is the user's text, without additions by hooks", async () => {
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { log } = await store.create(newSession('/w'));
    const added = '<hook-context from="SessionStart">\nthe branch is main\n</hook-context>';
    const content = ['Tidy up', added].map((text) => ({ type: 'text' as const, text }));
    await log.append({ type: 'user', uuid: 'u', at: AT, content });
    await log.close();
    expect((await store.list({})).sessions.map(({ firstPrompt }) => firstPrompt)).toEqual(['Tidy up']);
  });

  test('show title, first prompt, size and times, read only from both ends of the file', async () => {
    verifies('FB17', 'F95');
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId, log } = await store.create(newSession('/w'));
    await log.append({
      type: 'user',
      uuid: 'u',
      at: AT,
      content: [{ type: 'text', text: `Tidy\n  the ${'very '.repeat(9_000)}house` }],
    });
    await log.append({ type: 'title', at: AT, title: 'House' });
    for (let count = 0; count < 40; count += 1) await log.append(prompt('z'.repeat(20_000)));
    await log.close();
    const { size } = await stat(fileOf(folder, sessionId));
    const { sessions } = await store.list({});
    expect(sessions).toMatchObject([{ sessionId, cwd: '/w', createdAt: AT, sizeBytes: size, title: 'House' }]);
    expect(sessions[0]?.firstPrompt).toMatch(/^Tidy the very very /);
    expect(sessions[0]?.firstPrompt?.length).toBeLessThanOrEqual(200);
    // Lists read only the two ends of a file.
    const bytes = await readFile(fileOf(folder, sessionId));
    bytes.fill(0, 20_000, size - 70_000);
    await writeFile(fileOf(folder, sessionId), bytes);
    expect((await store.list({})).sessions).toMatchObject([{ title: 'House' }]);
  });

  test('are paged without omissions and repetitions, even if sessions are used meanwhile', async () => {
    verifies('FB17');
    await using folder = await temporaryFolder();
    fillFolder(folder, 25, () => '/w');
    const store = createFileStore({ directory: folder.path });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list({ limit: 10, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.sessions.map(({ sessionId }) => sessionId));
      cursor = page.nextCursor;
      await utimes(fileOf(folder, seen[0] ?? ''), 0, 10_000);
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => uuidOf(24 - index)));
  });

  test('of ten thousand sessions read only what they show', async () => {
    verifies('F96');
    await using folder = await temporaryFolder();
    fillFolder(folder, 10_000, (index) => (index === 3 ? '/mine' : '/other'));
    const store = createFileStore({ directory: folder.path });
    const page = await store.list({ limit: 20 });
    expect(page.sessions).toHaveLength(20);
    expect((await store.list({ cwd: '/mine' })).sessions.map(({ sessionId }) => sessionId)).toEqual([uuidOf(3)]);
    expect(await store.latest('/mine')).toBe(uuidOf(3));
  });

  test.each([[{ limit: 0 }], [{ limit: 1.5 }], [{ cursor: 'page two' }], [{ cursor: '5:../x' }]])(
    'refuse %j',
    async (query) => {
      await using folder = await temporaryFolder();
      const store = createFileStore({ directory: folder.path });
      await expect(store.list(query)).rejects.toMatchObject({ code: 'invalid_payload' });
    },
  );
});

describe('messages', () => {
  test('are paged, also for a session in use, and a cursor stays valid while it grows', async () => {
    verifies('FB17');
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId, log } = await store.create(newSession());
    for (const text of ['one', 'two', 'three']) await log.append(prompt(text));
    const first = await store.messages(sessionId, { limit: 2 });
    expect(prompts(first.messages)).toEqual(['one', 'two']);
    await log.append(answer({ type: 'text', text: 'four' }));
    const cursor = first.nextCursor ?? '';
    const rest = await store.messages(sessionId, { cursor });
    expect(rest.messages.map(({ type }) => type)).toEqual(['user', 'assistant']);
    expect(rest.nextCursor).toBeUndefined();
    await log.close();
  });

  test('a page contains at least one message and little more than 4 MiB', async () => {
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId, log } = await store.create(newSession());
    for (const letter of 'abc') await log.append(prompt(letter.repeat(3 * 1024 * 1024)));
    await log.close();
    const page = await store.messages(sessionId, {});
    expect(page.messages).toHaveLength(1);
    expect((await store.messages(sessionId, { cursor: page.nextCursor ?? '' })).messages).toHaveLength(1);
  });

  test('a newer version, a missing session and an invalid cursor are refused', async () => {
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId, log } = await store.create(newSession());
    await log.close();
    await expect(store.messages(uuidOf(1), {})).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(store.messages(sessionId, { cursor: '-1' })).rejects.toMatchObject({ code: 'invalid_payload' });
    await expect(store.messages(sessionId, { limit: 0 })).rejects.toMatchObject({ code: 'invalid_payload' });
    const file = fileOf(folder, sessionId);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"version":1', '"version":99'));
    await expect(store.messages(sessionId, {})).rejects.toMatchObject({ code: 'session_newer_version' });
  });
});

describe('titles', () => {
  test('the last one applies, even after the session continued', async () => {
    verifies('FB17');
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId, log } = await store.create(newSession());
    await log.close();
    await store.rename(sessionId, 'First');
    await store.rename(sessionId, '  Second ☃ ');
    expect(await store.summary(sessionId)).toMatchObject({ title: 'Second ☃' });
    const resumed = await store.open(sessionId);
    for (let count = 0; count < 10; count += 1) await resumed.log.append(prompt('z'.repeat(30_000)));
    await resumed.log.close();
    expect(await store.summary(sessionId)).toMatchObject({ title: 'Second ☃' });
  });

  test('a session in use, a missing session and an unprintable title are refused', async () => {
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId, log } = await store.create(newSession());
    await expect(store.rename(sessionId, 'Mine')).rejects.toMatchObject({ code: 'session_busy' });
    await log.close();
    await expect(store.rename(uuidOf(1), 'Mine')).rejects.toMatchObject({ code: 'session_not_found' });
    for (const title of ['', ' ', 'two\nlines', 'x'.repeat(201)]) {
      await expect(store.rename(sessionId, title)).rejects.toMatchObject({ code: 'invalid_payload' });
    }
    expect((await store.summary(sessionId)).title).toBeUndefined();
  });
});

describe('deleting', () => {
  test('removes the session and its damaged lines; a session in use stays', async () => {
    verifies('FB17');
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId, log } = await store.create(newSession());
    await expect(store.delete(sessionId)).rejects.toMatchObject({ code: 'session_busy', data: { pid: process.pid } });
    await log.append(prompt('still here'));
    await log.close();
    await appendFile(fileOf(folder, sessionId), '{"torn');
    await (await store.open(sessionId)).log.close();
    expect(await readdir(folder.path)).toHaveLength(2);
    await store.delete(sessionId);
    expect(await readdir(folder.path)).toEqual([]);
    await expect(store.delete(sessionId)).rejects.toMatchObject({ code: 'session_not_found' });
  });

  test('a session whose file is deleted while it runs fails with a typed error and is not recreated', async () => {
    verifies('F98');
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const { sessionId, log } = await store.create(newSession());
    await log.append(prompt('one'));
    await rm(fileOf(folder, sessionId));
    await expect(log.append(prompt('two'))).rejects.toMatchObject({ code: 'storage_unwritable' });
    await log.close();
    await expect(store.open(sessionId)).rejects.toMatchObject({ code: 'session_not_found' });
    expect(await readdir(folder.path)).toEqual([]);
  });
});

describe('forks up to a message', () => {
  const records = [
    prompt('one'),
    answer(
      { type: 'tool_use', id: 'c1', name: 'look', input: {} },
      { type: 'tool_use', id: 'c2', name: 'look', input: {} },
    ),
    result('c1', 'first'),
    result('c2', 'second'),
    { ...answer({ type: 'text', text: 'done' }), uuid: 'b' },
    prompt('two'),
    { type: 'title', at: AT, title: 'Looking' } as const,
  ];

  test.each([
    ['one', 1],
    ['a', 3],
    ['b', 4],
    ['two', 5],
  ])('%s: the history stays valid', async (upToMessageId, length) => {
    verifies('FB18');
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const source = await store.create(newSession());
    for (const record of records) await source.log.append(record);
    await source.log.close();
    const fork = await store.fork(source.sessionId, newSession(), { upToMessageId });
    await fork.log.close();
    const messages = foldRecords((await store.open(fork.sessionId)).records);
    expect(messages).toHaveLength(length);
    expect(await store.summary(fork.sessionId)).toMatchObject({ title: 'Looking' });
    const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
    expect(results.some(({ isError }) => isError)).toBe(false);
  });

  test('a missing message is reported with its ID', async () => {
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const source = await store.create(newSession());
    await source.log.close();
    await expect(store.fork(source.sessionId, newSession(), { upToMessageId: 'gone' })).rejects.toMatchObject({
      code: 'message_not_found',
      data: { messageId: 'gone' },
    });
    // Half a copy is none.
    expect(await readdir(folder.path)).toEqual([`${source.sessionId}.jsonl`]);
  });
});
