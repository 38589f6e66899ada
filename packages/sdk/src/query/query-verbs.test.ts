import type { ControlHandlers } from '@qwen/protocol';
import { resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { collect, resultOf, silentPrompt } from '../../test/programs.js';
import { type BackgroundTask, type PermissionExplanation, type Query, query } from '../index.js';
import { scriptedCli } from '../testing/index.js';
import { REFUSED_METHODS } from './refused-methods.js';
import { toUserMessage } from './user-message.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const EXPLAINED: PermissionExplanation = {
  behavior: 'ask',
  decided_by: 'default',
  reason: 'it writes',
  shadowed: [],
  permission_suggestions: [{ type: 'allow', label: 'Always', rules: ['Edit'], destination: 'session' }],
};

const TASK: BackgroundTask = {
  task_id: 't',
  tool_use_id: 'c',
  command: 'npm start',
  status: 'running',
  duration_ms: 5,
  output_bytes: 0,
};

const ANSWERS: Partial<ControlHandlers<'app'>> = {
  initialize: () => ({
    protocol_version: 1,
    session_id: 's',
    agents: ['reviewer'],
    effort_status: { applied: true },
    account: { provider: 'openai', host: 'example.test', credential_source: 'OPENAI_API_KEY' },
  }),
  set_model: () => null,
  set_permission_mode: () => null,
  set_effort: ({ effort }) => ({ applied: effort === 'high', reason: 'no reasoning model' }),
  get_available_models: () => ({ models: [{ id: 'small' }, { id: 'large' }], current: 'large' }),
  get_context_usage: ({ show_details: details }) => ({
    model: 'large',
    total_tokens: 10,
    is_estimated: details === true,
  }),
  rewind_files: () => ({ canRewind: true, filesChanged: [] }),
  rewind_conversation: () => ({ prompt: 'the prompt' }),
  get_usage_info: () => ({ session_id: 's', models: {}, turns: 2 }),
  explain_permission: () => EXPLAINED,
  mcp_server_status: () => ({ status: { shop: 'connected', files: 'disconnected' }, errors: { files: 'ENOENT' } }),
  list_tasks: () => ({ tasks: [TASK] }),
  get_task_output: ({ task_id: id }) => ({ output: `output of ${id}` }),
  stop_task: () => null,
  background_tasks: ({ tool_use_id: id }) => ({ moved: id === undefined ? 2 : 0 }),
  mcp_reconnect: () => null,
  mcp_toggle: () => null,
};

/** The result of a method and its control request. */
async function outcomeOf(verb: (conversation: Query) => Promise<unknown>) {
  const cli = scriptedCli(() => undefined, { answers: ANSWERS });
  await using conversation = query({ prompt: silentPrompt(), options: { transport: cli.transport } });
  const answer = await verb(conversation);
  return { answer, asked: cli.requests[1] };
}

test.each<[string, (conversation: Query) => Promise<unknown>, unknown, unknown]>([
  [
    'setEffort',
    (conversation) => conversation.setEffort('high'),
    true,
    { subtype: 'set_effort', payload: { effort: 'high' } },
  ],
  [
    'setEffortStatus',
    (conversation) => conversation.setEffortStatus('low'),
    { applied: false, reason: 'no reasoning model', override: null },
    { subtype: 'set_effort', payload: { effort: 'low' } },
  ],
  [
    'getInitialEffortStatus',
    async (conversation) => {
      const before = conversation.getInitialEffortStatus();
      await conversation.initialized;
      return [before, conversation.getInitialEffortStatus()];
    },
    [undefined, { applied: true, override: null }],
    undefined,
  ],
  [
    'supportedModels',
    (conversation) => conversation.supportedModels(),
    [
      { id: 'small', value: 'small', displayName: 'small', description: 'small' },
      { id: 'large', value: 'large', displayName: 'large', description: 'large' },
    ],
    { subtype: 'get_available_models', payload: {} },
  ],
  ['supportedAgents', (conversation) => conversation.supportedAgents(), ['reviewer'], undefined],
  [
    'accountInfo',
    (conversation) => conversation.accountInfo(),
    { provider: 'openai', host: 'example.test', credential_source: 'OPENAI_API_KEY' },
    undefined,
  ],
  [
    'getContextUsage',
    (conversation) => conversation.getContextUsage({ showDetails: true }),
    { model: 'large', total_tokens: 10, is_estimated: true },
    { subtype: 'get_context_usage', payload: { show_details: true } },
  ],
  [
    'rewindFiles',
    (conversation) => conversation.rewindFiles('m', { dryRun: true }),
    { canRewind: true, filesChanged: [] },
    { subtype: 'rewind_files', payload: { user_message_id: 'm', dry_run: true } },
  ],
  [
    'rewindConversation',
    (conversation) => conversation.rewindConversation('m'),
    'the prompt',
    { subtype: 'rewind_conversation', payload: { user_message_id: 'm' } },
  ],
  ['listTasks', (conversation) => conversation.listTasks(), [TASK], { subtype: 'list_tasks', payload: {} }],
  [
    'taskOutput',
    (conversation) => conversation.taskOutput('t'),
    'output of t',
    { subtype: 'get_task_output', payload: { task_id: 't' } },
  ],
  [
    'stopTask',
    (conversation) => conversation.stopTask('t'),
    undefined,
    { subtype: 'stop_task', payload: { task_id: 't' } },
  ],
  [
    'backgroundTasks',
    (conversation) => conversation.backgroundTasks(),
    true,
    { subtype: 'background_tasks', payload: {} },
  ],
  [
    'backgroundTasks',
    (conversation) => conversation.backgroundTasks('c'),
    false,
    { subtype: 'background_tasks', payload: { tool_use_id: 'c' } },
  ],
  [
    'getUsageInfo',
    (conversation) => conversation.getUsageInfo(),
    { session_id: 's', models: {}, turns: 2 },
    { subtype: 'get_usage_info', payload: {} },
  ],
  [
    'explainPermission',
    (conversation) => conversation.explainPermission('edit', { file_path: 'a' }),
    EXPLAINED,
    { subtype: 'explain_permission', payload: { tool_name: 'edit', input: { file_path: 'a' } } },
  ],
  [
    'canUseTool',
    (conversation) => conversation.canUseTool('edit', { file_path: 'a' }, { timeout: Infinity }),
    EXPLAINED,
    { subtype: 'explain_permission', payload: { tool_name: 'edit', input: { file_path: 'a' } } },
  ],
  [
    'mcpServers',
    (conversation) => conversation.mcpServers(),
    [
      { name: 'shop', status: 'connected' },
      { name: 'files', status: 'disconnected', error: 'ENOENT' },
    ],
    { subtype: 'mcp_server_status', payload: {} },
  ],
  [
    'reconnectMcpServer',
    (conversation) => conversation.reconnectMcpServer('files'),
    undefined,
    { subtype: 'mcp_reconnect', payload: { serverName: 'files' } },
  ],
  [
    'toggleMcpServer',
    (conversation) => conversation.toggleMcpServer('files', { enabled: false }),
    undefined,
    { subtype: 'mcp_toggle', payload: { serverName: 'files', enabled: false } },
  ],
  [
    'toggleMcpServer',
    (conversation) => conversation.toggleMcpServer('files', true),
    undefined,
    { subtype: 'mcp_toggle', payload: { serverName: 'files', enabled: true } },
  ],
  [
    'setModel',
    (conversation) => conversation.setModel(),
    undefined,
    { subtype: 'set_model', payload: { model: null } },
  ],
  [
    'setPermissionMode',
    (conversation) => conversation.setPermissionMode('acceptEdits'),
    undefined,
    { subtype: 'set_permission_mode', payload: { mode: 'auto-edit' } },
  ],
  [
    'setMaxThinkingTokens',
    (conversation) => conversation.setMaxThinkingTokens(10_000),
    undefined,
    { subtype: 'set_effort', payload: { effort: 'medium' } },
  ],
  [
    'setMaxThinkingTokens',
    (conversation) => conversation.setMaxThinkingTokens(null),
    undefined,
    { subtype: 'set_effort', payload: { effort: null } },
  ],
  [
    'initializationResult',
    async (conversation) => (await conversation.initializationResult()).session_id,
    's',
    undefined,
  ],
])('%s asks and gives the answer', async (_name, verb, answer, asked) => {
  verifies('O-09', 'CF-36', 'O-01');
  expect(await outcomeOf(verb)).toEqual({ answer, asked });
});

test.each(Object.entries(REFUSED_METHODS))('%s() rejects with its reason: %s', async (name, reason) => {
  const cli = scriptedCli(() => undefined, { answers: ANSWERS });
  await using conversation = query({ prompt: silentPrompt(), options: { transport: cli.transport } });
  const method: unknown = Reflect.get(conversation, name);
  expect(method).toBeTypeOf('function');
  const message = `query.${name}() is not supported by this version: ${reason}`;
  await expect((method as () => Promise<unknown>)()).rejects.toMatchObject({ code: 'unsupported_by_cli', message });
});

test('a mode or a number of tokens without a counterpart changes nothing', async () => {
  const cli = scriptedCli(() => undefined, { answers: ANSWERS });
  await using conversation = query({ prompt: silentPrompt(), options: { transport: cli.transport } });
  const auto = conversation.setPermissionMode('auto' as never);
  await expect(auto).rejects.toThrow('setPermissionMode: auto is not supported');
  await expect(conversation.setMaxThinkingTokens(0)).rejects.toThrow('thinking cannot be disabled');
  await conversation.initialized;
  expect(cli.requests).toHaveLength(1);
});

test('continueLastTurn keeps the input open until its result arrives', async () => {
  const cli = scriptedCli(() => undefined, {
    answers: { continue_last_turn: () => ({ accepted: true }) },
  });
  const conversation = query({ prompt: silentPrompt(), options: { transport: cli.transport } });
  expect(await conversation.continueLastTurn()).toEqual({ accepted: true });
  conversation.endInput();
  await conversation.ping();
  expect(conversation.isClosed()).toBe(false);
  await conversation.close();
});

test('a turn that cannot continue does not keep the input open', async () => {
  const refused = { accepted: false, reason: 'nothing is unfinished' };
  const cli = scriptedCli(() => undefined, { answers: { continue_last_turn: () => refused } });
  const conversation = query({ prompt: silentPrompt(), options: { transport: cli.transport } });
  const answer = conversation.continueLastTurn();
  conversation.endInput();
  expect(await answer).toEqual(refused);
  expect(await collect(conversation)).toEqual([]);
  await expect(conversation.continueLastTurn()).rejects.toMatchObject({ code: 'channel_closed' });
});

test('a message that steers is answered by whether the turn took it, and counts as no prompt', async () => {
  const cli = scriptedCli(
    ({ sends, says, result }) => {
      const place = { uuid: 'm1', session_id: 's', parent_tool_use_id: null, priority: 'now' };
      sends({ type: 'user', message: { role: 'user', content: 'Left.' }, ...place });
      says('done');
      result({ result: 'done' });
    },
    { answers: { steer: ({ uuid }) => ({ taken: uuid === 'm1' }) } },
  );
  const conversation = query({ prompt: silentPrompt(), options: { transport: cli.transport } });
  expect(await conversation.steer('Left.', { uuid: 'm1', priority: 'now' })).toBe(true);
  expect(await conversation.steer('Right.')).toBe(false);
  await conversation.streamInput(
    (async function* () {
      yield toUserMessage('go');
    })(),
  );
  conversation.endInput();
  expect((await collect(conversation)).map(({ type }) => type)).toEqual(['system', 'user', 'assistant', 'result']);
});

test('partial messages carry the id of their message and add up to its text', async () => {
  verifies('FB16');
  const cli = scriptedCli(({ streams }) => streams(['Hel', 'lo ', '👋']));
  const messages = await collect(query({ prompt: 'x', options: { transport: cli.transport } }));
  const texts = new Map<string, string>();
  for (const message of messages) {
    if (message.type !== 'stream_event' || message.event.type !== 'content_block_delta') continue;
    const key = `${message.message_id}/${message.event.index}`;
    const { delta } = message.event;
    if (delta.type === 'text_delta') texts.set(key, (texts.get(key) ?? '') + delta.text);
  }
  const whole = messages.find((message) => message.type === 'assistant');
  expect([...texts]).toEqual([[`${whole?.message.id}/0`, 'Hello 👋']]);
  expect(whole?.message.content).toEqual([{ type: 'text', text: 'Hello 👋' }]);
});

test('with toolNames: claude, messages have the tool names of Claude Code', async () => {
  const call = { type: 'tool_use', id: 'c', name: 'run_shell_command', input: { command: 'pwd' } };
  const own = { type: 'tool_use', id: 'd', name: 'mcp__files__read_file', input: {} };
  const ids = { uuid: 'u', session_id: 's' };
  const cli = scriptedCli(({ sends, says, result }) => {
    sends({
      type: 'system',
      subtype: 'init',
      ...ids,
      permission_mode: 'yolo',
      tools: ['read_file', 'read_many_files', 'mcp__files__read_file'],
    });
    sends({ type: 'stream_event', ...ids, event: { type: 'content_block_start', index: 0, content_block: call } });
    const message = { id: 'm', role: 'assistant', model: 'x', content: [call, own, { type: 'text', text: 'edit' }] };
    sends({ type: 'assistant', ...ids, message });
    says('done');
    result({ permission_denials: [{ tool_name: 'edit', tool_use_id: 'e', tool_input: {} }] });
  });
  const messages = await collect(query({ prompt: 'x', options: { transport: cli.transport, toolNames: 'claude' } }));
  const renamed = { ...call, name: 'Bash', raw_name: 'run_shell_command' };
  expect(messages.slice(1)).toMatchObject([
    { subtype: 'init', permissionMode: 'bypassPermissions', tools: ['Read', 'mcp__files__read_file'] },
    { event: { content_block: renamed } },
    { message: { content: [renamed, own, { type: 'text', text: 'edit' }] } },
    { type: 'assistant' },
    { type: 'result', permission_denials: [{ tool_name: 'Edit', tool_use_id: 'e' }] },
  ]);
});

test('with toolNames: claude, a failed result has its errors as a list', async () => {
  const cli = scriptedCli(({ result }) => {
    const error = { code: 'max_turns', message: 'Too many turns.' };
    result({ subtype: 'error_max_turns', is_error: true, error });
  });
  const running = query({ prompt: 'x', options: { transport: cli.transport, maxTurns: 1 } });
  expect(await resultOf(running)).toMatchObject({ subtype: 'error_max_turns', errors: ['Too many turns.'] });
});

test('a request can be aborted while the CLI starts', async () => {
  const cli = scriptedCli(() => undefined, { answers: { initialize: () => new Promise<never>(() => {}) } });
  await using running = query({ prompt: silentPrompt(), options: { transport: cli.transport } });
  const abort = new AbortController();
  const asked = running.explainPermission('Edit', {}, { signal: abort.signal });
  abort.abort('changed my mind');
  await expect(asked).rejects.toMatchObject({ code: 'cancelled', cause: 'changed my mind' });
  const { signal } = abort;
  await expect(running.explainPermission('Edit', {}, { signal })).rejects.toMatchObject({ code: 'cancelled' });
});

test('verbatimPrompts marks every prompt as literal', async () => {
  const seen: unknown[] = [];
  const cli = scriptedCli(({ message, says }) => {
    seen.push(message.is_literal);
    says('seen');
  });
  await resultOf(query({ prompt: '/help', options: { transport: cli.transport, verbatimPrompts: true } }));
  expect(seen).toEqual([true]);
});

test('sends a prompt of 1 MB and one with images unchanged', async () => {
  verifies('FB23');
  const systemPrompt = 'x'.repeat(1024 * 1024);
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } } as const;
  async function* prompt() {
    yield { type: 'user' as const, message: { role: 'user' as const, content: [image] } };
  }
  const cli = scriptedCli(({ says }) => says('seen'));
  const options = { transport: cli.transport, systemPrompt };
  expect(await resultOf(query({ prompt: prompt(), options }))).toMatchObject({ result: 'seen' });
  expect(cli.requests[0]?.payload).toMatchObject({ systemPrompt });
  expect(cli.prompts[0]?.message.content).toEqual([image]);
});
