import { mkdir } from 'node:fs/promises';
import { calls, lastText, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { failure, openAcpFixture } from './acp-fixture.js';

test.each([['--acp'], ['acp'], ['--experimental-acp']])('%s answers initialize with its capabilities', async (word) => {
  await using fixture = await openAcpFixture([says('hello')]);
  const editor = await fixture.open({ args: [word], doesInitialize: false });
  const answer = await editor.agent.request('initialize', { protocolVersion: 7, clientCapabilities: {} });
  expect(answer).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: 'qwen', version: expect.any(String) },
    authMethods: [{ id: 'environment', name: expect.any(String) }],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {}, fork: {} },
    },
  });
  expect(await editor.agent.request('authenticate', { methodId: 'environment' })).toEqual({});
});

test('a prompt streams its answer, then usage and title', async () => {
  await using fixture = await openAcpFixture([says('hello from the model')]);
  const prices = { scripted: { input: 1, output: 2 } };
  await fixture.workspace.write('home/.qwen/settings.json', JSON.stringify({ modelOptions: { prices } }));
  const editor = await fixture.open({ args: ['--acp', '--context-window', '100000'] });
  const sessionId = await editor.newSession(fixture.workspace.path);
  expect(await editor.prompt(sessionId, 'greet me')).toEqual({ stopReason: 'end_turn' });
  expect(editor.text()).toBe('hello from the model');
  const ids = editor.of('agent_message_chunk').map(({ messageId }) => messageId);
  expect(new Set(ids).size).toBe(1);
  expect(editor.of('usage_update')).toMatchObject([
    { used: expect.any(Number), size: 100_000, cost: { currency: 'USD' } },
  ]);
  expect(editor.of('session_info_update')[0]).toMatchObject({ title: 'greet me', updatedAt: expect.any(String) });
});

test('no update precedes the answer to session/new', async () => {
  await using fixture = await openAcpFixture([says('hello')]);
  const editor = await fixture.open();
  await editor.newSession(fixture.workspace.path);
  await editor.until(() => editor.of('available_commands_update').length > 0);
  const kinds = editor.lines.map((line) => ('method' in line ? line['method'] : 'answer'));
  expect(kinds.indexOf('session/update')).toBeGreaterThan(kinds.lastIndexOf('answer'));
  const [commands] = editor.of('available_commands_update');
  const names = commands?.availableCommands.map(({ name }) => name) ?? [];
  expect(names).toEqual(expect.arrayContaining(['compress', 'init']));
  expect(names).not.toContain('quit');
});

test('two sessions of one process do not mix', async () => {
  await using fixture = await openAcpFixture([(request) => says(`you said ${lastText(request)}`)]);
  const editor = await fixture.open();
  const folders = ['one', 'two'].map((name) => fixture.workspace.resolve(name));
  await Promise.all(folders.map((folder) => mkdir(folder)));
  const sessions = await Promise.all(folders.map((folder) => editor.newSession(folder)));
  const stops = await Promise.all(sessions.map((sessionId, index) => editor.prompt(sessionId, `apple ${index}`)));
  expect(stops).toEqual([{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }]);
  for (const [index, sessionId] of sessions.entries()) {
    expect(editor.text(sessionId)).toMatch(new RegExp(`apple ${index}`));
    expect(editor.text(sessionId)).not.toContain(`apple ${1 - index}`);
  }
});

test('load replays the whole session before its answer', async () => {
  await using fixture = await openAcpFixture([
    calls({ name: 'read_file', input: { file_path: 'a.txt' } }),
    says('it holds alpha'),
    says('second answer'),
  ]);
  await fixture.workspace.write('a.txt', 'alpha\n');
  const cwd = fixture.workspace.path;
  const first = await fixture.open();
  const sessionId = await first.newSession(cwd);
  await first.prompt(sessionId, 'read a.txt');
  first.endInput();
  expect(await first.exited).toBe(0);

  const second = await fixture.open();
  const loaded = await second.agent.request('session/load', { sessionId, cwd, mcpServers: [] });
  expect(loaded).toMatchObject({ modes: { currentModeId: 'default' }, configOptions: expect.any(Array) });
  const kinds = second.updates(sessionId).map(({ sessionUpdate }) => sessionUpdate);
  expect(kinds.slice(0, 3)).toEqual(['user_message_chunk', 'tool_call', 'agent_message_chunk']);
  expect(second.of('tool_call')[0]).toMatchObject({ kind: 'read', status: 'completed' });
  expect(second.text()).toBe('it holds alpha');
  await second.prompt(sessionId, 'and now?');
  expect(second.text()).toBe('it holds alphasecond answer');
  expect(JSON.stringify(fixture.model.requests.at(-1))).toContain('it holds alpha');
});

test('resume continues without a replay, fork copies, list and delete know the stored sessions', async () => {
  await using fixture = await openAcpFixture([says('answer one'), says('answer two')]);
  const cwd = fixture.workspace.path;
  const editor = await fixture.open();
  const sessionId = await editor.newSession(cwd);
  await editor.prompt(sessionId, 'first prompt');
  await editor.agent.request('session/close', { sessionId });
  expect(await failure(editor.prompt(sessionId, 'closed'))).toMatchObject({ code: -32002 });

  const seen = editor.received.length;
  await editor.agent.request('session/resume', { sessionId, cwd, mcpServers: [] });
  expect(editor.received.slice(seen).map(({ update }) => update.sessionUpdate)).not.toContain('user_message_chunk');
  const fork = await editor.agent.request<{ sessionId: string }>('session/fork', { sessionId, cwd, mcpServers: [] });
  expect(fork.sessionId).not.toBe(sessionId);
  await editor.prompt(fork.sessionId, 'in the copy');
  expect(JSON.stringify(fixture.model.requests.at(-1))).toContain('answer one');

  const { sessions } = await editor.agent.request('session/list', { cwd });
  expect(sessions.map((one) => one.sessionId).toSorted()).toEqual([sessionId, fork.sessionId].toSorted());
  expect(sessions).toContainEqual(expect.objectContaining({ cwd, title: 'first prompt' }));
  await editor.agent.request('session/delete', { sessionId: fork.sessionId });
  expect((await editor.agent.request('session/list', { cwd })).sessions).toHaveLength(1);
});

test('a session that is loaded again while its prompt runs ends that prompt; loading it twice at once works', async () => {
  await using fixture = await openAcpFixture([
    says('first answer'),
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: '' } }),
    says('last answer'),
  ]);
  const cwd = fixture.workspace.path;
  const editor = await fixture.open({ asked: () => new Promise(() => undefined) });
  const sessionId = await editor.newSession(cwd);
  await editor.prompt(sessionId, 'first');
  const answer = editor.prompt(sessionId, 'write');
  await editor.until(() => editor.questions.length === 1);
  const load = () => editor.agent.request('session/load', { sessionId, cwd, mcpServers: [] });
  await Promise.all([load(), load()]);
  expect(await answer).toEqual({ stopReason: 'cancelled' });
  expect(await editor.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' });
  expect(editor.text()).toMatch(/last answer$/);
});

test.each([
  [['acp', 'hello'], /does not take "hello"/],
  [['--acp', '-p', 'hello'], /--prompt cannot be used with --acp/],
  [['acp', '--resume', 'one'], /--resume cannot be used with --acp/],
  [['acp', '--nonsense'], /--nonsense/],
])('qwen %j is a usage error', async (args, reason) => {
  await using fixture = await openAcpFixture();
  const program = await fixture.start(args);
  expect(await program.exited).toMatchObject({ code: 2 });
  expect(program.stderr).toMatch(reason);
});

test('qwen acp --help describes it', async () => {
  await using fixture = await openAcpFixture();
  const program = await fixture.start(['acp', '--help']);
  expect(await program.printed(/Agent Client Protocol/)).toBe('Agent Client Protocol');
  expect(await program.exited).toMatchObject({ code: 0 });
});
