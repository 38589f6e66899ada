import { resourceBaseline, temporaryFolder, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { collect, failureOf, queryTo, resultOf, silentPrompt, userMessage } from '../../test/programs.js';
import { AgentError, query, type SDKUserMessage } from '../index.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const SESSION_ID = '11111111-2222-4333-8444-555555555555';

test('the iteration ends after the answer, when the process has exited', async () => {
  verifies('O-53', 'GAP-41', 'O-16', 'O-20', 'O-21', 'O-22', 'O-29', 'FB7');
  const conversation = queryTo('echoes', { prompt: 'hello there' });
  const messages = await collect(conversation);
  expect(messages.map(({ type }) => type)).toEqual(['system', 'assistant', 'result']);
  expect(messages.at(-1)).toMatchObject({ result: 'hello there' });
  expect(await conversation.closed).toMatchObject({ exitCode: 0, signal: null });
  expect(await conversation.next()).toEqual({ done: true, value: undefined });
  expect(conversation.isClosed()).toBe(true);
});

test('messages of an iterable are answered in one session', async () => {
  verifies('GAP-41');
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield userMessage('one');
    yield userMessage('two');
  }
  const messages = await collect(queryTo('echoes', { prompt: prompts() }));
  expect(messages.filter(({ type }) => type === 'result')).toMatchObject([{ result: 'one' }, { result: 'two' }]);
});

test('streamInput adds prompts, endInput lets the query end after the last answer', async () => {
  verifies('GAP-41');
  const conversation = queryTo('echoes', {
    prompt: silentPrompt(),
  });
  async function* more(): AsyncGenerator<SDKUserMessage> {
    yield userMessage('added');
  }
  await conversation.streamInput(more());
  conversation.endInput();
  expect((await collect(conversation)).at(-1)).toMatchObject({ type: 'result', result: 'added' });
  await expect(conversation.streamInput(more())).rejects.toMatchObject({ code: 'channel_closed' });
});

test('methods send control requests and return their results', async () => {
  verifies('O-06', 'O-07', 'O-08', 'O-10', 'O-11', 'O-13', 'O-14', 'O-15', 'O-26', 'O-27');
  const conversation = queryTo('echoes', {
    prompt: silentPrompt(),
  });
  await conversation.setModel('other');
  await conversation.setPermissionMode('plan');
  await conversation.interrupt();
  expect(await conversation.supportedCommands()).toEqual({ commands: ['help', 'clear'] });
  expect(await conversation.mcpServerStatus()).toEqual({ shop: 'connected', files: 'connecting' });
  expect(await conversation.sendControlRequest('supported_commands', {})).toMatchObject({
    commands: ['help', 'clear'],
  });
  conversation.endInput();
  expect(await collect(conversation)).toMatchObject([
    { subtype: 'told_set_model', data: { model: 'other' } },
    { subtype: 'told_set_permission_mode', data: { mode: 'plan' } },
  ]);
  await expect(conversation.setModel('late')).rejects.toMatchObject({ code: 'channel_closed' });
});

test('a control request can be withdrawn by a signal', async () => {
  verifies('O-01', 'O-03');
  const conversation = queryTo('bounded-queue', {
    prompt: silentPrompt(),
  });
  await conversation.initialized;
  const controller = new AbortController();
  const asked = conversation.sendControlRequest('interrupt', {}, { signal: controller.signal });
  controller.abort();
  await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
  await conversation.close();
});

test('initialize returns the capabilities, and the session id matches the messages', async () => {
  verifies('O-05', 'FB18');
  await using conversation = queryTo('echoes', { options: { sessionId: '99999999-2222-4333-8444-555555555555' } });
  expect(conversation.sessionId).toBe('99999999-2222-4333-8444-555555555555');
  expect(await conversation.initialize()).toMatchObject({ commands: ['help'], protocol_version: 1 });
  await conversation.initialized;
  expect(conversation.sessionId).toBe(SESSION_ID);
  expect(conversation.getSessionId()).toBe(SESSION_ID);
});

test("options set arguments, directory and environment of the CLI, without the host's NODE_OPTIONS", async () => {
  verifies('S91', 'T23', 'FB2');
  await using folder = await temporaryFolder();
  process.env['NODE_OPTIONS'] = '--trace-warnings';
  const conversation = queryTo('echoes', {
    prompt: 'a secret prompt',
    options: { cwd: folder.path, model: 'm', canUseTool: () => ({ behavior: 'deny', message: 'no' }) },
  });
  delete process.env['NODE_OPTIONS'];
  const [started] = await collect(conversation);
  expect(started).toMatchObject({ data: { cwd: folder.path } });
  expect(started).not.toHaveProperty('data.nodeOptions');
  const text = JSON.stringify(started);
  expect(text).toContain('--approval-mode=default');
  expect(text).not.toContain('a secret prompt');
});

test('a system prompt of one megabyte is not passed on the command line', async () => {
  verifies('F34', 'FB23');
  const conversation = queryTo('echoes', { options: { systemPrompt: 'x'.repeat(1024 * 1024) } });
  const [started] = await collect(conversation);
  expect(JSON.stringify(started).length).toBeLessThan(2_000);
});

test('a prompt that is neither text nor iterable is refused at once', () => {
  expect(() => query({ prompt: 42 as never })).toThrow(expect.objectContaining({ code: 'invalid_options' }));
});

test('a prompt iterable that throws fails the query with the same error', async () => {
  const broken = new Error('the database is gone');
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield userMessage('one');
    throw broken;
  }
  const conversation = queryTo('never-answers-initialize', { prompt: prompts() });
  const early = queryTo('echoes', { prompt: prompts() });
  expect(await failureOf(collect(early))).toBe(broken);
  await early.closed;
  await conversation.close();
});

test('an invalid user message fails the query with an error that names it', async () => {
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield { type: 'user', message: { role: 'user', content: 7 as never } };
  }
  const failure = await failureOf(collect(queryTo('echoes', { prompt: prompts() })));
  expect(AgentError.is(failure) && failure.message).toMatch(/user message\.message\.content/);
});

test('sends no more messages than the CLI queues and answers all of them', async () => {
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    for (let index = 0; index < 100; index += 1) yield userMessage(String(index));
  }
  const conversation = queryTo('bounded-queue', { prompt: prompts() });
  await expect.poll(() => conversation.supportedCommands()).toEqual({ commands: ['32'] });
  const results = (await collect(conversation)).filter(({ type }) => type === 'result');
  expect(results).toHaveLength(100);
  expect(results.at(-1)).toMatchObject({ longest: 32 });
});

test('warns once, with a code, about a callback that is never called', async () => {
  verifies('FB2');
  const lines: string[] = [];
  const canUseTool = () => ({ behavior: 'allow' as const });
  await resultOf(
    queryTo('echoes', { options: { permissionMode: 'yolo', canUseTool, stderr: (line) => lines.push(line) } }),
  );
  expect(lines.filter((line) => line.includes('QWEN_CAN_USE_TOOL_SHADOWED'))).toHaveLength(1);
});
