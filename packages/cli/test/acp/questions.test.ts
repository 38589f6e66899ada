import type { ClientApp, CreateElicitationRequest, CreateElicitationResponse } from '@agentclientprotocol/sdk';
import { calls, FAULTY_MCP_SERVER, lastText, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openAcpFixture, shareEditor } from './acp-fixture.js';

const share = shareEditor();

const FORMS = { elicitation: { form: {} } };
const questions = [
  { question: 'Which port?', options: [{ label: '80' }, { label: '8080', description: 'for tests' }] },
  { question: 'Which hosts?', multiSelect: true, options: [{ label: 'a' }, { label: 'b' }] },
];
const asks = calls({ name: 'ask_user_question', input: { questions } });
const repeats = (request: Parameters<typeof lastText>[0]) => says(lastText(request));

/** A client that shows forms. */
function answering(answer: CreateElicitationResponse | (() => Promise<never>)) {
  const forms: CreateElicitationRequest[] = [];
  const serve = (app: ClientApp): ClientApp =>
    app.onRequest('elicitation/create', ({ params }) => {
      forms.push(params);
      return typeof answer === 'function' ? answer() : answer;
    });
  return { forms, serve };
}

test('questions of the model are one form', async () => {
  await using fixture = await openAcpFixture([asks, repeats]);
  const { forms, serve } = answering({ action: 'accept', content: { 0: '8080', 1: ['a', 'b'] } });
  const editor = await fixture.open({ args: ['--acp', '--yolo'], capabilities: FORMS, serve });
  const sessionId = await editor.newSession(fixture.workspace.path);
  await editor.prompt(sessionId, 'serve it');
  expect(forms).toMatchObject([
    {
      sessionId,
      mode: 'form',
      requestedSchema: {
        properties: {
          0: { type: 'string', oneOf: [{ const: '80' }, { const: '8080', description: 'for tests' }] },
          1: { type: 'array', items: { anyOf: [{ const: 'a' }, { const: 'b' }] } },
        },
      },
    },
  ]);
  expect(editor.text()).toMatch(/Which port\?\n8080[\s\S]*Which hosts\?\na, b/);
});

test('without forms, each question of the model is a choice', async () => {
  const { editor, folder } = await share([asks, repeats], ({ options }) => options[1]?.optionId ?? '');
  const sessionId = await editor.newSession(folder.path);
  await editor.prompt(sessionId, 'serve it');
  expect(editor.questions.map(({ toolCall, options }) => [toolCall.title, options.map(({ name }) => name)])).toEqual([
    ['Which port?', ['80', '8080: for tests', 'Do not answer']],
    ['Which hosts?', ['a', 'b', 'Do not answer']],
  ]);
  expect(editor.text()).toMatch(/Which port\?\n8080[\s\S]*Which hosts\?\nb/);
});

test('without forms, a question without options is refused with advice for the model', async () => {
  const input = { questions: [questions[0], { question: 'Which name?', options: [] }] };
  const { editor, folder } = await share([calls({ name: 'ask_user_question', input }), repeats]);
  await editor.prompt(await editor.newSession(folder.path), 'name it');
  expect(editor.questions).toEqual([]);
  expect(editor.text()).toContain('Add options to each question, or ask in your answer.');
});

const question = {
  message: 'Which account?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};
const elicits = calls({ name: 'mcp__shop__ask', input: question });
const server = { name: 'shop', command: process.execPath, args: [FAULTY_MCP_SERVER, 'none'], env: [] };

test.each([
  ['an answer', { action: 'accept', content: { name: 'ada' } } as const, '"action":"accept","content":{"name":"ada"}'],
  ['a refusal', { action: 'decline' } as const, '"action":"decline"'],
  ['an unknown action', { action: 'maybe' } as never, '"action":"cancel"'],
  ['an error', () => Promise.reject(new Error('no window')), '"action":"cancel"'],
])('a form of an MCP server: %s reaches it', async (_name, answer, expected) => {
  await using fixture = await openAcpFixture([elicits, repeats]);
  const { forms, serve } = answering(answer);
  const editor = await fixture.open({ args: ['--acp', '--yolo'], capabilities: FORMS, serve });
  const sessionId = await editor.newSession(fixture.workspace.path, [server]);
  await editor.prompt(sessionId, 'buy it');
  expect(forms).toMatchObject([{ sessionId, mode: 'form', message: expect.stringContaining('Which account?') }]);
  expect(editor.text().replaceAll(' ', '')).toContain(expected);
});

test('tools of MCP servers ask; a subagent is one call with its own calls', async () => {
  await using fixture = await openAcpFixture([
    calls({ name: 'mcp__shop__echo', input: { words: 'hello' } }),
    calls({ name: 'task', input: { description: 'look', prompt: 'list the files' } }),
    calls({ name: 'list_directory', input: { path: '.' }, id: 'inner' }),
    says('nothing there'),
    says('done'),
  ]);
  const editor = await fixture.open({ asked: () => 'yes' });
  const sessionId = await editor.newSession(fixture.workspace.path, [server]);
  await editor.prompt(sessionId, 'go');
  expect(editor.questions).toMatchObject([{ toolCall: { rawInput: { words: 'hello' } } }]);
  const [, task] = editor.of('tool_call');
  expect(editor.of('tool_call')).toMatchObject([
    { name: 'mcp__shop__echo', kind: 'other' },
    { name: 'task', kind: 'think' },
    { kind: 'search', _meta: { parentToolCallId: task?.toolCallId } },
  ]);
  expect(editor.text()).toBe('done');
});

test('a plan is presented with its text, and its approval leaves the plan mode', async () => {
  const plan = '1. Write a.txt';
  await using fixture = await openAcpFixture([
    calls({ name: 'exit_plan_mode', input: { plan } }),
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'done' } }),
    says('written'),
  ]);
  const editor = await fixture.open({
    asked: ({ options }) => options.find(({ kind }) => kind === 'allow_always')?.optionId ?? '',
  });
  const sessionId = await editor.newSession(fixture.workspace.path);
  await editor.agent.request('session/set_mode', { sessionId, modeId: 'plan' });
  await editor.prompt(sessionId, 'plan it');
  expect(editor.questions).toMatchObject([
    { toolCall: { kind: 'switch_mode', content: [{ type: 'content', content: { type: 'text', text: plan } }] } },
  ]);
  expect(editor.of('current_mode_update').map(({ currentModeId }) => currentModeId)).toEqual(
    expect.arrayContaining(['plan', 'auto-edit']),
  );
  expect(await fixture.workspace.read('a.txt')).toBe('done');
});

test('the hooks and rules of the user apply', async () => {
  await using fixture = await openAcpFixture([
    calls({ name: 'run_shell_command', input: { command: 'touch a' } }),
    calls({ name: 'run_shell_command', input: { command: 'touch b' } }),
    says('done'),
  ]);
  const settings = {
    permissions: { deny: ['Bash(touch a)'] },
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'echo "no b" >&2; exit 2' }] }] },
  };
  await fixture.workspace.write('home/.qwen/settings.json', JSON.stringify(settings));
  const editor = await fixture.open();
  const sessionId = await editor.newSession(fixture.workspace.path);
  await editor.prompt(sessionId, 'touch');
  expect(editor.questions).toEqual([]);
  expect(editor.of('tool_call_update').filter(({ status }) => status === 'failed')).toHaveLength(2);
  await expect(fixture.workspace.read('b')).rejects.toThrow(/ENOENT/);
});

test.each([
  ['once', 'completed', true],
  ['no', 'failed', false],
  ['nonsense', 'failed', false],
])('shell commands of a slash command are a question of their own: %s', async (answer, status, doesRun) => {
  await using fixture = await openAcpFixture([repeats]);
  await fixture.workspace.write('home/.qwen/commands/show.toml', 'prompt = "It says: !{touch made && echo owl}"');
  const editor = await fixture.open({ asked: () => answer });
  const sessionId = await editor.newSession(fixture.workspace.path);
  expect(await editor.prompt(sessionId, '/show')).toEqual({ stopReason: 'end_turn' });
  expect(editor.questions).toMatchObject([{ toolCall: { kind: 'execute', title: 'Run commands of /show' } }]);
  expect(JSON.stringify(editor.questions[0]?.toolCall.content)).toContain('touch made && echo owl');
  const [call] = editor.of('tool_call');
  expect(call?.toolCallId).toBe(editor.questions[0]?.toolCall.toolCallId);
  expect(editor.of('tool_call_update')).toMatchObject([{ toolCallId: call?.toolCallId, status }]);
  expect(await fixture.workspace.read('made').catch(() => 'none')).toBe(doesRun ? '' : 'none');
  expect(editor.text().includes('owl')).toBe(doesRun);
});
