import { createFileStore, type FileStore } from '@qwen/agent/node';
import { type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createControlFixture } from '../../../test/control-fixture.js';
import { createFixtureAgent } from '../../../test/fixture-agent.js';

const AT = '2030-01-01T00:00:00.000Z';
const uuidOf = (index: number) => `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** Creates a session with a prompt, a tool call, an answer and text of a subagent. Returns its id. */
async function written(store: FileStore, index: number, cwd = '/w'): Promise<string> {
  const { sessionId, log } = await store.create({ sessionId: uuidOf(index), cwd, createdAt: AT });
  const usage = { input_tokens: 1, output_tokens: 1 };
  const said = { at: AT, model: 'm', stop_reason: 'end_turn', usage } as const;
  const call = { type: 'tool_use', id: 'c1', name: 'look', input: {} } as const;
  await log.append({ type: 'user', uuid: 'u1', at: AT, content: 'What is there?' });
  await log.append({ type: 'assistant', uuid: 'a1', ...said, content: [call] });
  await log.append({
    type: 'assistant',
    uuid: 's1',
    ...said,
    content: [{ type: 'text', text: 'sub' }],
    parent_tool_use_id: 'c1',
  });
  await log.append({
    type: 'tool_result',
    uuid: 'r1',
    at: AT,
    tool_use_id: 'c1',
    tool_name: 'look',
    content: 'a.txt',
    is_error: false,
  });
  await log.append({ type: 'assistant', uuid: 'a2', ...said, content: [{ type: 'text', text: 'a.txt' }] });
  await log.close();
  return sessionId;
}

async function createFixture(folder: TemporaryFolder) {
  const store = createFileStore({ directory: folder.path });
  return { store, ...createControlFixture({ openStore: async () => store }) };
}

test('lists sessions in pages, by folder', async () => {
  verifies('FB17');
  await using folder = await temporaryFolder();
  const { store, app } = await createFixture(folder);
  for (const index of [1, 2, 3]) await written(store, index, index === 2 ? '/other' : '/w');
  const first = await app.request('list_sessions', { cwd: '/w', limit: 1 });
  expect(first.sessions).toMatchObject([{ cwd: '/w', created_at: AT, first_prompt: 'What is there?' }]);
  const rest = await app.request('list_sessions', { cwd: '/w', limit: 1, cursor: first.next_cursor });
  expect([...first.sessions, ...rest.sessions].map(({ session_id }) => session_id).toSorted()).toEqual([
    uuidOf(1),
    uuidOf(3),
  ]);
  expect(rest.next_cursor).toBeUndefined();
  expect((await app.request('list_sessions', {})).sessions).toHaveLength(3);
});

test('returns the messages of the stream, with their IDs, subagents attributed', async () => {
  verifies('FB17');
  await using folder = await temporaryFolder();
  const { store, app } = await createFixture(folder);
  const session_id = await written(store, 1);
  const { messages } = await app.request('get_session_messages', { session_id });
  expect(messages.map(({ uuid, type, parent_tool_use_id }) => [uuid, type, parent_tool_use_id])).toEqual([
    ['u1', 'user', null],
    ['a1', 'assistant', null],
    ['s1', 'assistant', 'c1'],
    ['r1', 'user', null],
    ['a2', 'assistant', null],
  ]);
  expect(messages[3]?.message.content).toEqual([
    { type: 'tool_result', tool_use_id: 'c1', content: 'a.txt', is_error: false },
  ]);
  const page = await app.request('get_session_messages', { session_id, limit: 4 });
  const { messages: last } = await app.request('get_session_messages', { session_id, cursor: page.next_cursor });
  expect(last.map(({ uuid }) => uuid)).toEqual(['a2']);
});

test('the store renames a stored session, and a running session renames itself', async () => {
  verifies('FB17');
  await using folder = await temporaryFolder();
  const { store, app, happenings } = await createFixture(folder);
  const session_id = await written(store, 1);
  expect(await app.request('rename_session', { session_id, title: 'Mine' })).toMatchObject({
    session_id,
    title: 'Mine',
  });
  const { sessionId: own } = createFixtureAgent([]);
  const { log } = await store.create({ sessionId: own, cwd: '/w', createdAt: AT });
  await app.request('rename_session', { session_id: own, title: 'Ours' });
  await log.close();
  expect(happenings).toEqual(['title Ours']);
});

test('deletes unused sessions, never the one in this process', async () => {
  verifies('FB17');
  await using folder = await temporaryFolder();
  const { store, app } = await createFixture(folder);
  const session_id = await written(store, 1);
  expect(await app.request('delete_session', { session_id })).toEqual({ deleted: true });
  await expect(app.request('delete_session', { session_id })).rejects.toMatchObject({ code: 'session_not_found' });
  const { sessionId: own } = createFixtureAgent([]);
  await (await store.create({ sessionId: own, cwd: '/w', createdAt: AT })).log.close();
  await expect(app.request('delete_session', { session_id: own })).rejects.toMatchObject({ code: 'session_busy' });
  expect(await store.summary(own)).toMatchObject({ sessionId: own });
});

test('forks up to a message, in the folder of the source, with a chosen ID', async () => {
  verifies('FB17', 'FB18');
  await using folder = await temporaryFolder();
  const { store, app } = await createFixture(folder);
  const session_id = await written(store, 1, '/source');
  const fork = await app.request('fork_session', { session_id, up_to_message_id: 'a1', new_session_id: uuidOf(9) });
  expect(fork).toMatchObject({ session_id: uuidOf(9), cwd: '/source', forked_from: session_id });
  const { messages } = await app.request('get_session_messages', { session_id: uuidOf(9) });
  expect(messages.map(({ uuid }) => uuid)).toEqual(['u1', 'a1', 'r1']);
  await expect(app.request('fork_session', { session_id, up_to_message_id: 'zz' })).rejects.toMatchObject({
    code: 'message_not_found',
  });
  expect((await app.request('fork_session', { session_id })).session_id).not.toBe(session_id);
});
