import { calls, lastText, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openAcpFixture, shareEditor } from './acp-fixture.js';

const share = shareEditor();

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const writes = calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'new' } });

test('text, links, embedded files and images reach the model', async () => {
  const { editor, folder, requests } = await share([says('seen')]);
  const sessionId = await editor.newSession(folder.path);
  await editor.agent.request('session/prompt', {
    sessionId,
    prompt: [
      { type: 'text', text: 'compare ' },
      { type: 'resource_link', uri: `file://${folder.path}/linked.txt`, name: 'linked.txt' },
      { type: 'text', text: ' with ' },
      { type: 'resource', resource: { uri: `file://${folder.path}/open.ts`, text: 'const open = 1;' } },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
    ],
  });
  const sent = JSON.stringify(requests()[0]?.messages.at(-1));
  expect(sent).toContain(`compare [linked.txt](${folder.path}/linked.txt) with [open.ts]`);
  expect(sent).toContain('const open = 1;');
  expect(sent).toContain(PIXEL);
});

test('an edit is a tool call with kind, location and diff; the question precedes it', async () => {
  const { editor, folder } = await share([writes, says('done')], () => 'yes');
  await folder.write('a.txt', 'old');
  const path = folder.resolve('a.txt');
  const sessionId = await editor.newSession(folder.path);
  expect(await editor.prompt(sessionId, 'write')).toEqual({ stopReason: 'end_turn' });
  const [question] = editor.questions;
  expect(question).toMatchObject({
    sessionId,
    toolCall: { toolCallId: 'call_1', kind: 'edit', content: [{ type: 'diff', path, oldText: 'old', newText: 'new' }] },
  });
  expect(question?.options.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['allow_once', 'allow_always', 'reject_once']),
  );
  expect(editor.of('tool_call')).toMatchObject([{ toolCallId: 'call_1', kind: 'edit', locations: [{ path }] }]);
  expect(editor.of('tool_call_update').at(-1)).toMatchObject({
    toolCallId: 'call_1',
    status: 'completed',
    content: [{ type: 'diff', path, oldText: 'old', newText: 'new' }],
  });
  const order = editor.lines.map((line) => line['method'] ?? 'answer');
  expect(order.indexOf('session/request_permission')).toBeGreaterThan(
    editor.lines.findIndex((line) => JSON.stringify(line).includes('"sessionUpdate":"tool_call"')),
  );
  expect(await folder.read('a.txt')).toBe('new');
});

test('a command streams its output and its exit', async () => {
  const { editor, folder } = await share(
    [calls({ name: 'run_shell_command', input: { command: 'echo from the shell > f; cat f; exit 3' } }), says('done')],
    () => 'yes',
  );
  const sessionId = await editor.newSession(folder.path);
  await editor.prompt(sessionId, 'run it');
  expect(editor.of('tool_call')).toMatchObject([{ kind: 'execute', title: 'echo from the shell > f; cat f; exit 3' }]);
  const end = editor.of('tool_call_update').at(-1);
  expect(end).toMatchObject({ status: 'failed' });
  expect(JSON.stringify(end?.content)).toContain('from the shell');
});

test.each([
  ['an unknown option', () => 'whatever'],
  ['a rejection', () => 'no'],
  ['an error', () => Promise.reject(new Error('no window'))],
])('%s of the client denies the call', async (_name, asked) => {
  const { editor, folder } = await share([writes, says('understood')], asked);
  const sessionId = await editor.newSession(folder.path);
  expect(await editor.prompt(sessionId, 'write')).toEqual({ stopReason: 'end_turn' });
  expect(editor.text()).toBe('understood');
  expect(editor.of('tool_call_update').at(-1)).toMatchObject({ status: 'failed' });
  await expect(folder.read('a.txt')).rejects.toThrow(/ENOENT/);
});

test('always for the session asks once', async () => {
  const run = calls({ name: 'run_shell_command', input: { command: 'mkdir -p made' } });
  const { editor, folder } = await share([run, run, says('done')], () => 'session');
  const sessionId = await editor.newSession(folder.path);
  await editor.prompt(sessionId, 'create twice');
  expect(editor.questions).toHaveLength(1);
  expect(editor.of('tool_call_update').at(-1)).toMatchObject({ status: 'completed' });
});

test('auto-accept changes the mode, and the client learns of it', async () => {
  const { editor, folder } = await share([writes, says('done')], () => 'auto-edit');
  const sessionId = await editor.newSession(folder.path);
  await editor.prompt(sessionId, 'write');
  expect(editor.of('current_mode_update')).toEqual([
    { sessionUpdate: 'current_mode_update', currentModeId: 'auto-edit' },
  ]);
  const mode = editor
    .of('config_option_update')
    .at(-1)
    ?.configOptions.find(({ id }) => id === 'mode');
  expect(mode).toMatchObject({ currentValue: 'auto-edit' });
});

test('the todo list is the plan', async () => {
  const todos = [
    { content: 'look', status: 'completed' },
    { content: 'change', status: 'in_progress' },
  ];
  const { editor, folder } = await share([calls({ name: 'todo_write', input: { todos } }), says('planned')]);
  const sessionId = await editor.newSession(folder.path);
  await editor.prompt(sessionId, 'plan');
  const entries = todos.map((todo) => ({ ...todo, priority: 'medium' }));
  expect(editor.of('plan')).toEqual([{ sessionUpdate: 'plan', entries }]);
  expect(editor.of('tool_call')).toEqual([]);
});

test('a slash command answers without the model, and a custom command becomes a prompt', async () => {
  await using fixture = await openAcpFixture([(request) => says(`model: ${lastText(request)}`)]);
  await fixture.workspace.write('home/.qwen/commands/shout.md', 'Shout {{args}} loudly.');
  const editor = await fixture.open();
  const sessionId = await editor.newSession(fixture.workspace.path);
  expect(await editor.prompt(sessionId, '/about')).toEqual({ stopReason: 'end_turn' });
  expect(fixture.model.requests).toHaveLength(0);
  expect(editor.text()).not.toBe('');
  await editor.prompt(sessionId, '/shout hey');
  expect(editor.text()).toContain('model: Shout hey loudly.');
});

test('mode, model and effort are config options that apply', async () => {
  const { editor, folder } = await share([writes, says('done')]);
  const created = await editor.agent.request('session/new', { cwd: folder.path, mcpServers: [] });
  const { sessionId } = created;
  expect(created.modes).toMatchObject({ currentModeId: 'default' });
  expect(created.configOptions?.map(({ id, category }) => [id, category])).toEqual([
    ['mode', 'mode'],
    ['model', 'model'],
    ['effort', 'thought_level'],
  ]);
  await editor.agent.request('session/set_mode', { sessionId, modeId: 'yolo' });
  const changed = await editor.agent.request('session/set_config_option', {
    sessionId,
    configId: 'effort',
    value: 'low',
  });
  expect(changed.configOptions).toMatchObject([{ currentValue: 'yolo' }, {}, { currentValue: 'low' }]);
  await editor.prompt(sessionId, 'write');
  expect(editor.questions).toEqual([]);
  expect(await folder.read('a.txt')).toBe('new');
});

test('a client that shows terminals receives the output as one, and a denied command as text', async () => {
  const run = (command: string) => calls({ name: 'run_shell_command', input: { command } });
  await using fixture = await openAcpFixture([run('echo one > f; cat f; exit 3'), run('echo two > f'), says('done')]);
  const editor = await fixture.open({
    capabilities: { _meta: { terminal_output: true } },
    asked: ({ toolCall }) => (toolCall.title?.includes('one') === true ? 'yes' : 'no'),
  });
  const sessionId = await editor.newSession(fixture.workspace.path);
  await editor.prompt(sessionId, 'run them');
  const [first, second] = editor.of('tool_call');
  const terminal = { terminal_id: first?.toolCallId };
  const updates = editor.of('tool_call_update').filter(({ toolCallId }) => toolCallId === first?.toolCallId);
  expect(updates[0]).toMatchObject({
    content: [{ type: 'terminal', terminalId: first?.toolCallId }],
    _meta: { terminal_info: terminal },
  });
  expect(JSON.stringify(updates.map(({ _meta }) => _meta?.['terminal_output']))).toContain('"data":"one\\n"');
  expect(updates.at(-1)).toMatchObject({ status: 'failed', _meta: { terminal_exit: { ...terminal, exit_code: 3 } } });
  const denied = editor.of('tool_call_update').filter(({ toolCallId }) => toolCallId === second?.toolCallId);
  expect(denied).toMatchObject([{ status: 'failed', content: [{ type: 'content' }] }]);
});
