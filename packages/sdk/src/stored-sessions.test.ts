import { spawn } from 'node:child_process';
import { AgentError, type ControlHandlers } from '@qwen/protocol';
import { processGone, resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { failureOf, program, silentPrompt } from '../test/programs.js';
import {
  deleteSession,
  forkSession,
  getSessionMessages,
  InMemorySessionStore,
  listSessions,
  query,
  renameSession,
  type SpawnedProcess,
  type StoreOptions,
} from './index.js';
import { toProjectKey } from './stores/session-store.js';
import { scriptedCli } from './testing/index.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const SESSION = { session_id: 's1', cwd: '/work', created_at: '2026-01-01', modified_at: '2026-01-02' };

const ANSWERS: Partial<ControlHandlers<'app'>> = {
  list_sessions: () => ({ sessions: [SESSION], next_cursor: 'next' }),
  get_session_messages: () => ({ messages: [{ type: 'user', message: { role: 'user', content: 'hi' } }] }),
  rename_session: ({ title }) => ({ ...SESSION, title }),
  delete_session: ({ session_id: id }) => {
    if (id === 's1') return { deleted: true };
    throw new AgentError('session_not_found', `There is no session ${id}.`);
  },
  fork_session: () => ({ ...SESSION, session_id: 's2', forked_from: 's1' }),
};

test.each<[string, (store: StoreOptions) => Promise<unknown>, unknown, object]>([
  [
    'listSessions',
    (store) => listSessions({ ...store, cwd: '/work', limit: 1, cursor: 'c' }),
    { sessions: [SESSION], next_cursor: 'next' },
    { subtype: 'list_sessions', payload: { cwd: '/work', limit: 1, cursor: 'c' } },
  ],
  [
    'getSessionMessages',
    (store) => getSessionMessages('s1', store),
    { messages: [{ type: 'user', message: { role: 'user', content: 'hi' } }] },
    { subtype: 'get_session_messages', payload: { session_id: 's1' } },
  ],
  [
    'renameSession',
    (store) => renameSession('s1', 'New', store),
    { ...SESSION, title: 'New' },
    { subtype: 'rename_session', payload: { session_id: 's1', title: 'New' } },
  ],
  [
    'deleteSession',
    (store) => deleteSession('s1', store),
    undefined,
    { subtype: 'delete_session', payload: { session_id: 's1' } },
  ],
  [
    'forkSession',
    (store) => forkSession('s1', { ...store, upToMessageId: 'm', newSessionId: 's2' }),
    { ...SESSION, session_id: 's2', forked_from: 's1' },
    { subtype: 'fork_session', payload: { session_id: 's1', up_to_message_id: 'm', new_session_id: 's2' } },
  ],
])('%s starts a CLI and ends it', async (_name, ask, answer, asked) => {
  verifies('FB17');
  const cli = scriptedCli(() => undefined, { answers: ANSWERS });
  expect(await ask({ transport: cli.transport })).toEqual(answer);
  expect(cli.requests.map(({ subtype }) => subtype)).toEqual(['initialize', expect.any(String)]);
  expect(cli.requests[1]).toEqual(asked);
  expect(cli.prompts).toEqual([]);
  await cli.transport.closed;
});

test('a running query can be used instead and continues', async () => {
  const cli = scriptedCli(({ says }) => says('still here'), { answers: ANSWERS });
  await using conversation = query({ prompt: silentPrompt(), options: { transport: cli.transport } });
  expect(await listSessions({ query: conversation })).toMatchObject({ sessions: [SESSION] });
  expect(await renameSession('s1', 'New', { query: conversation })).toMatchObject({ title: 'New' });
  expect(conversation.isClosed()).toBe(false);
});

test("rejects with the CLI's error, and an abort withdraws the request", async () => {
  const refusing = scriptedCli(() => undefined, { answers: ANSWERS });
  await expect(deleteSession('s9', { transport: refusing.transport })).rejects.toMatchObject({
    code: 'session_not_found',
  });
  const hanging = scriptedCli(() => undefined, { answers: { list_sessions: () => new Promise(() => undefined) } });
  const abort = new AbortController();
  const listing = failureOf(listSessions({ transport: hanging.transport, signal: abort.signal }));
  abort.abort();
  expect(await listing).toMatchObject({ code: 'cancelled' });
});

test('rejects if the CLI cannot list sessions and leaves no process', async () => {
  const pids: (number | undefined)[] = [];
  const flags: (readonly string[])[] = [];
  const spawnProcess = ({ command, args }: { command: string; args: readonly string[] }): SpawnedProcess => {
    const child = spawn(command, [...args]);
    pids.push(child.pid);
    flags.push(args);
    return child;
  };
  const failure = failureOf(listSessions({ pathToQwenExecutable: program('refuses-initialize'), spawnProcess }));
  expect(await failure).toMatchObject({ code: 'missing_credentials' });
  expect(pids.map((pid) => processGone(pid ?? -1))).toEqual([true]);
  // No settings, so nothing that they would start.
  expect(flags[0]).toContain('--setting-sources=');
  await expect(listSessions({ pathToQwenExecutable: '/does/not/exist' })).rejects.toMatchObject({
    code: 'cli_not_found',
  });
});

test.each([0, -1, 1.5, Number.NaN])('a limit of %s is refused for a session store too', async (limit) => {
  const sessionStore = new InMemorySessionStore();
  const key = { projectKey: toProjectKey(process.cwd()), sessionId: 's' };
  await sessionStore.append(key, [{ type: 'session' }]);
  const list = listSessions({ sessionStore, limit, pathToQwenExecutable: '/does/not/exist' });
  await expect(list).rejects.toMatchObject({
    code: 'invalid_payload',
    message: expect.stringContaining(`not ${limit}`),
  });
});
