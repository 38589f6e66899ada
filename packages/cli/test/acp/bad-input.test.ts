import { childrenOf, FAULTY_MCP_SERVER, says, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { failure, openAcpFixture, shareEditor } from './acp-fixture.js';

const share = shareEditor();

const broken = (status: number, message: string) => () => ({ error: { message, type: 'error' }, status });

test('invalid parameters are errors with a reason, and the session survives them', async () => {
  await using fixture = await openAcpFixture([says('still here')]);
  await fixture.workspace.write('file.txt', '');
  const cwd = fixture.workspace.path;
  const editor = await fixture.open();
  const sessionId = await editor.newSession(cwd);
  const { agent } = editor;
  const audio = { type: 'audio' as const, data: 'AAAA', mimeType: 'audio/wav' };
  const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/tiff' };
  const cases: readonly (readonly [Promise<unknown>, RegExp])[] = [
    [agent.request('session/new', { cwd: 'relative', mcpServers: [] }), /cwd: .*absolute path/],
    [agent.request('session/new', { cwd: `${cwd}/missing`, mcpServers: [] }), /cwd: .*does not exist/],
    [agent.request('session/new', { cwd: `${cwd}/file.txt`, mcpServers: [] }), /cwd: .*not a folder/],
    [
      agent.request('session/new', { cwd, mcpServers: [], additionalDirectories: ['more'] }),
      /additionalDirectories.0: .*absolute/,
    ],
    [agent.request('session/new', { mcpServers: [] }), /cwd/],
    [agent.request('session/new', { cwd, mcpServers: 'none' }), /mcpServers/],
    [agent.request('session/fork', { sessionId }), /cwd/],
    [agent.request('session/list', { cwd: 'here' }), /cwd: .*absolute/],
    [agent.request('session/list', { cursor: 'none' }), /cursor/],
    [agent.request('session/prompt', { sessionId, prompt: [] }), /prompt: .*empty/],
    [agent.request('session/prompt', { sessionId, prompt: [audio] }), /prompt.0: audio/],
    [agent.request('session/prompt', { sessionId, prompt: [image] }), /prompt.0: .*image\/tiff/],
    [agent.request('session/set_mode', { sessionId, modeId: 'bold' }), /modeId: .*plan/],
    [agent.request('session/set_config_option', { sessionId, configId: 'color', value: 'red' }), /configId/],
    [agent.request('session/set_config_option', { sessionId, configId: 'effort', value: 'most' }), /value: .*low/],
    [agent.request('authenticate', { methodId: 'magic' }), /methodId/],
  ];
  for (const [request, reason] of cases) {
    const error = await failure(request);
    expect(error.code).toBe(-32602);
    expect(`${error.message} ${JSON.stringify(error.data)}`).toMatch(reason);
  }
  expect(await editor.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
  expect(editor.text()).toBe('still here');
});

test('an unknown session is an error of its own', async () => {
  await using fixture = await openAcpFixture([says('hello')]);
  const cwd = fixture.workspace.path;
  const { agent } = await fixture.open();
  for (const sessionId of ['3f0f2b4e-0000-4000-8000-000000000000', '../../etc/passwd', '']) {
    const requests = [
      agent.request('session/load', { sessionId, cwd, mcpServers: [] }),
      agent.request('session/resume', { sessionId, cwd, mcpServers: [] }),
      agent.request('session/fork', { sessionId, cwd, mcpServers: [] }),
      agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'x' }] }),
      agent.request('session/set_mode', { sessionId, modeId: 'plan' }),
    ];
    for (const request of requests) expect(await failure(request)).toMatchObject({ code: -32002 });
  }
});

test('lines that are no requests are answered or ignored', async () => {
  const { editor, folder } = await share([says('fine')]);
  for (const line of ['{broken', '[]', '42', '{"jsonrpc":"2.0","id":"u","method":"no/such"}', '']) editor.send(line);
  editor.send('{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"unknown"}}');
  const sessionId = await editor.newSession(folder.path);
  expect(await editor.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
  const codes = editor.lines.flatMap((line) => ('error' in line ? [(line['error'] as { code: number }).code] : []));
  expect(codes).toHaveLength(4);
  expect(new Set(codes)).toEqual(new Set([-32700, -32600, -32601]));
});

test.each([
  ['a wrong key', broken(401, 'the key is wrong'), -32000, /key is wrong/],
  ['a missing model', broken(404, 'there is no such model'), -32603, /no such model/],
  ['a rejected prompt', broken(400, 'images are not supported'), -32603, /images are not supported/],
])('%s answers the prompt with the reason', async (_name, reply, code, reason) => {
  const { editor, folder } = await share([reply]);
  const sessionId = await editor.newSession(folder.path);
  const error = await failure(editor.prompt(sessionId, 'hello'));
  expect(error.code).toBe(code);
  expect(error.message).toMatch(reason);
});

test('without credentials, a session needs authentication', async () => {
  await using fixture = await openAcpFixture();
  const { agent } = await fixture.open({ env: { OPENAI_API_KEY: '', OPENAI_BASE_URL: '' } });
  const request = agent.request('session/new', { cwd: fixture.workspace.path, mcpServers: [] });
  expect(await failure(request)).toMatchObject({ code: -32000, message: expect.stringContaining('OPENAI_API_KEY') });
  expect(await failure(agent.request('authenticate', { methodId: 'environment' }))).toMatchObject({ code: -32000 });
});

test('a session in use by another process names that process', async () => {
  await using fixture = await openAcpFixture([says('one')]);
  const cwd = fixture.workspace.path;
  const [first, second] = [await fixture.open(), await fixture.open()];
  const sessionId = await first.newSession(cwd);
  await first.prompt(sessionId, 'hello');
  await second.agent.request('session/load', { sessionId, cwd, mcpServers: [] });
  expect(second.text()).toBe('one');
  const error = await failure(second.prompt(sessionId, 'me too'));
  expect(error.message).toContain(`in use by process ${first.pid}`);
  expect(await first.prompt(sessionId, 'and again')).toEqual({ stopReason: 'end_turn' });
});

test('the root and the home folder work, and 20 sessions run at once', async () => {
  await using fixture = await openAcpFixture([says('here')]);
  await fixture.workspace.write('home/.keep', '');
  const editor = await fixture.open();
  const folders = ['/', fixture.workspace.resolve('home'), ...Array.from({ length: 18 }, () => fixture.workspace.path)];
  const sessions = await Promise.all(folders.map((folder) => editor.newSession(folder)));
  const answers = await Promise.all(sessions.map((sessionId) => editor.prompt(sessionId, 'hello')));
  expect(new Set(answers.map(({ stopReason }) => stopReason))).toEqual(new Set(['end_turn']));
  expect(sessions.map((sessionId) => editor.text(sessionId))).toEqual(sessions.map(() => 'here'));
});

test('a message above the limit ends the program with the reason', async () => {
  await using fixture = await openAcpFixture();
  const editor = await fixture.open();
  editor.send('x'.repeat(33 * 1024 * 1024));
  expect(await editor.exited).toBe(1);
  expect(editor.stderr).toContain('33554432 byte limit');
});

test('a prompt of several megabytes reaches the model', async () => {
  await using fixture = await openAcpFixture([says('long')]);
  const editor = await fixture.open({ args: ['--acp', '--context-window', '10000000'] });
  const sessionId = await editor.newSession(fixture.workspace.path);
  expect(await editor.prompt(sessionId, 'word '.repeat(1_000_000))).toEqual({ stopReason: 'end_turn' });
  expect(JSON.stringify(fixture.model.requests.at(-1)?.messages).length).toBeGreaterThan(5_000_000);
});

test('MCP servers of the client offer their tools; one that never answers does not block a cancel', async () => {
  await using fixture = await openAcpFixture([says('done')]);
  const editor = await fixture.open();
  const server = (name: string, args: string[]) => ({ name, command: process.execPath, args, env: [] });
  const good = server('good', [FAULTY_MCP_SERVER, 'none']);
  const cwd = fixture.workspace.path;
  const sessionId = await editor.newSession(cwd, [good, server('absent', ['/does/not/exist.js'])]);
  expect(await editor.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
  const names = fixture.model.requests[0]?.tools?.map(({ function: { name } }) => name) ?? [];
  expect(names).toContain('mcp__good__echo');
  expect(editor.stderr + JSON.stringify(editor.of('agent_thought_chunk'))).toContain('absent');

  const waiting = await editor.newSession(cwd, [server('mute', ['-e', 'process.stdin.resume()'])]);
  const answer = editor.prompt(waiting, 'hello');
  await editor.until(() => editor.of('available_commands_update', waiting).length > 0);
  await editor.agent.notify('session/cancel', { sessionId: waiting });
  expect(await answer).toEqual({ stopReason: 'cancelled' });
  const children = childrenOf(editor.pid);
  expect(children.length).toBeGreaterThan(1);
  editor.endInput();
  expect(await editor.exited).toBe(0);
  await Promise.all(children.map((pid) => waitUntilGone(pid)));
});

test.each([
  ['a thought', {}, 'agent_thought_chunk'],
  ['a notice, if the client shows notices', { session: { notices: {} } }, 'notice'],
])('a retry is %s', async (_name, capabilities, kind) => {
  await using fixture = await openAcpFixture([broken(503, 'overloaded'), says('at last')]);
  const editor = await fixture.open({ capabilities });
  const sessionId = await editor.newSession(fixture.workspace.path);
  expect(await editor.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
  expect(editor.text()).toBe('at last');
  const retry = editor.updates(sessionId).find((update) => JSON.stringify(update).includes('Retrying in'));
  expect(retry).toMatchObject({ sessionUpdate: kind });
  expect(JSON.stringify(retry)).toContain('overloaded');
});
