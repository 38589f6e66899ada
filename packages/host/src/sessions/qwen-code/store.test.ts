import { readdir, truncate, utimes } from 'node:fs/promises';
import type { SessionRecord } from '@qwen/protocol';
import { type TemporaryFolder, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openStore } from '../../session-store.js';

const ID = '11111111-2222-4333-8444-555555555555';
const OTHER = '11111111-2222-4333-8444-666666666666';
const AT = '2026-05-01T10:00:00.000Z';

interface Line {
  readonly uuid: string;
  readonly parentUuid?: string | null;
  readonly type?: string;
  readonly [name: string]: unknown;
}

const line = (own: Line) =>
  JSON.stringify({
    parentUuid: null,
    sessionId: ID,
    timestamp: AT,
    type: 'user',
    cwd: '/w',
    version: '0.24.4',
    ...own,
  });
const says = (uuid: string, parentUuid: string | null, text: string, more: object = {}) =>
  line({ uuid, parentUuid, message: { role: 'user', parts: [{ text }] }, ...more });

async function write(folder: TemporaryFolder, lines: readonly string[], id = ID): Promise<string> {
  return folder.write(`projects/-w/chats/${id}.jsonl`, `${lines.join('\n')}\n`);
}

const storeIn = (folder: TemporaryFolder) => openStore({ sessionsDirectory: folder.resolve('sessions') });

async function recordsOf(folder: TemporaryFolder): Promise<readonly SessionRecord[]> {
  const records: SessionRecord[] = [];
  await storeIn(folder).read(ID, { add: (record) => records.push(record) });
  return records;
}

test('messages, calls, results, images and reasoning become records', async () => {
  await using folder = await temporaryFolder();
  const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
  await write(folder, [
    says('u1', null, 'Look.'),
    line({ uuid: 's1', parentUuid: 'u1', type: 'system', subtype: 'ui_telemetry', systemPayload: {} }),
    line({
      uuid: 'a1',
      parentUuid: 's1',
      type: 'assistant',
      model: 'm',
      message: {
        role: 'model',
        parts: [
          { text: 'Hm.', thought: true, thoughtSignature: 'sig' },
          { text: 'Looking.' },
          { functionCall: { id: 'c1', name: 'read_file', args: { file_path: 'a' } } },
          { functionCall: { id: 'c2', name: 'glob', args: {} } },
        ],
      },
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, cachedContentTokenCount: 2, totalTokenCount: 15 },
    }),
    line({
      uuid: 'r1',
      parentUuid: 'a1',
      type: 'tool_result',
      message: {
        role: 'user',
        parts: [
          { functionResponse: { id: 'c1', name: 'read_file', response: { output: 'text' } } },
          image,
          { functionResponse: { id: 'c2', name: 'glob', response: { error: 'none' } } },
        ],
      },
    }),
    says('u2', 'r1', '', { message: { role: 'user', parts: [{ text: 'And this?' }, image] } }),
    line({
      uuid: 't1',
      parentUuid: 'u2',
      type: 'system',
      subtype: 'custom_title',
      systemPayload: { customTitle: 'Mine' },
    }),
    '{"uuid":"cut',
  ]);
  const block = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
  expect(await recordsOf(folder)).toEqual([
    { type: 'session', version: 1, session_id: ID, cwd: '/w', created_at: AT },
    { type: 'user', uuid: 'u1', at: AT, content: 'Look.' },
    {
      type: 'assistant',
      uuid: 'a1',
      at: AT,
      model: 'm',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 'c1', name: 'read_file', input: { file_path: 'a' } },
        { type: 'tool_use', id: 'c2', name: 'glob', input: {} },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 2, total_tokens: 15 },
    },
    {
      type: 'tool_result',
      uuid: 'r1',
      at: AT,
      tool_use_id: 'c1',
      tool_name: 'read_file',
      content: [{ type: 'text', text: 'text' }, block],
      is_error: false,
    },
    {
      type: 'tool_result',
      uuid: 'r1-2',
      at: AT,
      tool_use_id: 'c2',
      tool_name: 'glob',
      content: 'none',
      is_error: true,
    },
    { type: 'user', uuid: 'u2', at: AT, content: [{ type: 'text', text: 'And this?' }, block] },
    { type: 'title', at: AT, title: 'Mine' },
  ]);
});

test('only the last branch is read, and a cycle ends', async () => {
  await using folder = await temporaryFolder();
  await write(folder, [
    says('u1', null, 'one'),
    says('u2', 'u1', 'two'),
    says('u3', 'u2', 'three'),
    line({ uuid: 'back', parentUuid: 'u1', type: 'system', subtype: 'rewind', systemPayload: {} }),
    says('u4', 'back', 'four'),
  ]);
  expect((await storeIn(folder).messages(ID, {})).messages.map(({ content }) => content)).toEqual(['one', 'four']);
  await write(folder, [says('u1', 'u2', 'one'), says('u2', 'u1', 'two')]);
  expect((await storeIn(folder).messages(ID, {})).messages.map(({ content }) => content)).toEqual(['one', 'two']);
});

test('a compressed conversation replaces what came before', async () => {
  await using folder = await temporaryFolder();
  const compressedHistory = [
    { role: 'user', parts: [{ text: 'Summary.' }] },
    { role: 'model', parts: [{ text: 'Noted.' }] },
  ];
  await write(folder, [
    says('u1', null, 'one'),
    line({
      uuid: 'c',
      parentUuid: 'u1',
      type: 'system',
      subtype: 'chat_compression',
      systemPayload: { compressedHistory },
    }),
    says('u2', 'c', 'two'),
  ]);
  expect((await recordsOf(folder)).slice(1)).toMatchObject([
    { type: 'user', content: 'one' },
    { type: 'restored', records: [{ type: 'user', content: 'Summary.' }, { type: 'assistant' }] },
    { type: 'user', content: 'two' },
  ]);
});

test('both kinds are listed by age, by folder and in pages', async () => {
  await using folder = await temporaryFolder();
  const oldest = await write(folder, [says('u1', null, 'of qwen-code')]);
  const newest = await write(folder, [says('u1', null, 'newest', { sessionId: OTHER, cwd: '/elsewhere' })], OTHER);
  await folder.write('projects/-w/chats/notes.jsonl', 'x');
  await folder.write(`projects/-w/chats/${ID.replace('1', '2')}.jsonl`, 'broken');
  const store = storeIn(folder);
  const own = await store.create({ sessionId: 'own', cwd: '/w', createdAt: AT });
  await own.log.append({ type: 'user', uuid: 'u', at: AT, content: 'of qwen' });
  await own.log.close();
  await utimes(oldest, 1_000, 1_000);
  await utimes(newest, 4_000_000_000, 4_000_000_000);
  const { sessions } = await store.list({});
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual([OTHER, 'own', ID]);
  expect(sessions[2]).toMatchObject({ cwd: '/w', createdAt: AT, firstPrompt: 'of qwen-code' });
  expect((await store.list({ cwd: '/w' })).sessions.map(({ sessionId }) => sessionId)).toEqual(['own', ID]);
  expect(await store.latest('/elsewhere')).toBe(OTHER);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ limit: 1, ...(cursor !== undefined && { cursor }) });
    seen.push(...page.sessions.map(({ sessionId }) => sessionId));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual([OTHER, 'own', ID]);
});

test('resuming creates a copy, which hides the unchanged original', async () => {
  await using folder = await temporaryFolder();
  const path = await write(folder, [says('u1', null, 'one'), says('u2', 'u1', 'two')]);
  const before = await folder.read(path.slice(folder.path.length + 1));
  const store = storeIn(folder);
  await expect(store.delete(ID)).rejects.toMatchObject({ code: 'permission_refused' });
  const fork = await store.fork(ID, { sessionId: 'copy', cwd: '/w', createdAt: AT }, { upToMessageId: 'u1' });
  expect(fork.records).toMatchObject([{ type: 'session', forked_from: ID }, { uuid: 'u1' }]);
  await fork.log.close();
  const opened = await store.open(ID);
  expect(opened.records).toMatchObject([{ type: 'session', session_id: ID }, { uuid: 'u1' }, { uuid: 'u2' }]);
  await opened.log.append({ type: 'user', uuid: 'u3', at: AT, content: 'three' });
  await opened.log.close();
  expect((await store.messages(ID, {})).messages).toHaveLength(3);
  expect((await store.list({})).sessions.filter(({ sessionId }) => sessionId === ID)).toHaveLength(1);
  expect(await folder.read(path.slice(folder.path.length + 1))).toBe(before);
  await store.delete(ID);
  expect((await store.messages(ID, {})).messages).toHaveLength(2);
  await expect(store.open(OTHER)).rejects.toMatchObject({ code: 'session_not_found' });
});

test('a stored session of qwen-code reserves its ID', async () => {
  await using folder = await temporaryFolder();
  await write(folder, [says('u1', null, 'one')]);
  const store = storeIn(folder);
  const taken = { sessionId: ID, cwd: '/w', createdAt: AT };
  const records = (async function* () {})();
  await expect(store.create(taken)).rejects.toMatchObject({ code: 'session_exists' });
  await expect(store.import(taken, { records })).rejects.toMatchObject({ code: 'session_exists' });
  await expect(store.fork(ID, taken)).rejects.toMatchObject({ code: 'session_exists' });
  expect([store.has(ID), store.has(OTHER)]).toEqual([true, false]);
  expect((await store.messages(ID, {})).messages).toHaveLength(1);
});

test('only names of files in the folder are sessions', async () => {
  await using folder = await temporaryFolder();
  await folder.write('outside.jsonl', '{}\n');
  await folder.write('sessions/inside.jsonl', '{}\n');
  const store = storeIn(folder);
  expect(['inside', '../outside', '../sessions/inside', ''].filter((id) => store.has(id))).toEqual(['inside']);
});

test('a session that cannot be read is not copied', async () => {
  await using folder = await temporaryFolder();
  const path = await write(folder, [says('u1', null, 'one')]);
  await truncate(path, 513 * 1024 * 1024);
  await write(folder, [line({ uuid: 's', type: 'system', subtype: 'ui_telemetry', sessionId: OTHER })], OTHER);
  const store = storeIn(folder);
  const session = { sessionId: 'copy', cwd: '/w', createdAt: AT };
  for (const id of [ID, OTHER]) {
    await expect(store.open(id)).rejects.toMatchObject({ code: 'session_not_found', data: { sessionId: id } });
    await expect(store.rename(id, 'Mine')).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(store.fork(id, session)).rejects.toMatchObject({ code: 'session_not_found' });
  }
  await expect(store.messages(ID, {})).rejects.toMatchObject({ code: 'session_not_found' });
  expect(await readdir(folder.path)).toEqual(['projects']);
});

test('a session whose first line is long is listed and resumed', async () => {
  await using folder = await temporaryFolder();
  await write(folder, [says('u1', null, `Log: ${'x'.repeat(300_000)}`), says('u2', 'u1', 'two')]);
  const store = storeIn(folder);
  const { sessions } = await store.list({ cwd: '/w' });
  expect(sessions).toMatchObject([{ sessionId: ID, firstPrompt: expect.stringMatching(/^Log: x{195}$/) }]);
  const opened = await store.open(ID);
  await opened.log.close();
  expect(opened.records).toMatchObject([{ type: 'session' }, { uuid: 'u1' }, { uuid: 'u2' }]);
});
