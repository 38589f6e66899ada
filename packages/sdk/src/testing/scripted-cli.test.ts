import { resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { collect, failureOf, resultOf, silentPrompt, userMessage } from '../../test/programs.js';
import { type CanUseTool, createSdkMcpServer, query, type SDKUserMessage, tool } from '../index.js';
import { scriptedCli } from './index.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

test('tests a permission callback without a key, a network or a process', async () => {
  verifies('FB2');
  const canUseTool: CanUseTool = (toolName) =>
    toolName === 'edit' ? { behavior: 'allow' } : { behavior: 'deny', message: 'only edits' };
  const cli = scriptedCli(async ({ asksPermission, says }) => {
    await asksPermission('edit', { file_path: 'a.ts' });
    const { behavior } = await asksPermission('run_shell_command', { command: 'rm -rf /' }, { reason: 'it writes' });
    says(behavior === 'deny' ? 'I was not allowed to.' : 'Gone.');
  });
  const result = await resultOf(query({ prompt: 'Tidy up', options: { canUseTool, transport: cli.transport } }));
  expect(result).toMatchObject({
    subtype: 'success',
    result: 'I was not allowed to.',
    permission_denials: [{ tool_name: 'run_shell_command', tool_input: { command: 'rm -rf /' } }],
  });
  expect(cli.verdicts).toEqual([{ behavior: 'allow' }, { behavior: 'deny', message: 'only edits' }]);
  expect(cli.waitingCount).toBe(0);
});

test('tools of the app are called through their MCP server, and calls are messages', async () => {
  const add = tool('add', 'Adds.', { a: z.number(), b: z.number() }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }));
  const calc = createSdkMcpServer({ name: 'calc', tools: [add] });
  const outcomes: unknown[] = [];
  const cli = scriptedCli(async ({ callsTool }) => {
    outcomes.push(await callsTool('mcp__calc__add', { a: 2, b: 3 }));
    outcomes.push(await callsTool('mcp__calc__add', { a: 'two' }));
    outcomes.push(await callsTool('mcp__other__add', {}));
  });
  const messages = await collect(query({ prompt: 'x', options: { mcpServers: { calc }, transport: cli.transport } }));
  expect(outcomes).toMatchObject([
    { text: '5', isError: false },
    { text: expect.stringContaining('Invalid arguments'), isError: true },
    { text: expect.stringContaining('no MCP server called other'), isError: true },
  ]);
  expect(messages).toMatchObject([
    { type: 'system' },
    { message: { content: [{ type: 'tool_use', name: 'mcp__calc__add', id: 'tool-2' }] } },
    { message: { content: [{ type: 'tool_result', content: '5', tool_use_id: 'tool-2' }] } },
    ...Array.from({ length: 4 }, () => ({})),
    { type: 'result' },
  ]);
});

test('each message is a turn, in order, and the CLI exits after the last', async () => {
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield userMessage('one');
    yield { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'two' }] } };
  }
  const cli = scriptedCli(({ says, prompt, number }) => says(`${number}: ${prompt}`));
  const conversation = query({ prompt: prompts(), options: { transport: cli.transport } });
  const results = (await collect(conversation)).filter(({ type }) => type === 'result');
  expect(results).toMatchObject([{ result: '1: one' }, { result: '2: two' }]);
  expect(cli.prompts).toHaveLength(2);
  expect(await conversation.closed).toEqual({ exitCode: 0, signal: null, stderrTail: '' });
});

test('an interrupt or a denial with interrupt ends the turn, whatever the script awaits', async () => {
  verifies('FB8', 'M-43');
  const cli = scriptedCli(() => new Promise(() => undefined));
  const conversation = query({ prompt: 'x', options: { transport: cli.transport } });
  await conversation.next();
  await conversation.interrupt();
  expect(await resultOf(conversation)).toMatchObject({ subtype: 'interrupted', is_error: false });

  const canUseTool: CanUseTool = () => ({ behavior: 'deny', message: 'stop', interrupt: true });
  const denied = scriptedCli(async ({ asksPermission, says }) => {
    await asksPermission('edit', {});
    says('never heard');
  });
  const stopped = query({ prompt: 'x', options: { canUseTool, transport: denied.transport } });
  expect(await resultOf(stopped)).toMatchObject({
    subtype: 'interrupted',
    permission_denials: [{ tool_name: 'edit' }],
  });
});

test('a script that throws fails the query with its message', async () => {
  const cli = scriptedCli(() => {
    throw new Error('expected 2 to be 3');
  });
  const failure = await failureOf(collect(query({ prompt: 'x', options: { transport: cli.transport } })));
  expect(failure).toMatchObject({ code: 'process_exited', message: expect.stringContaining('expected 2 to be 3') });
});

test('a second query needs another scripted CLI', async () => {
  const { transport } = scriptedCli(({ says }) => says('once'));
  expect(await resultOf(query({ prompt: 'x', options: { transport } }))).toMatchObject({ result: 'once' });
  const failure = await failureOf(collect(query({ prompt: 'y', options: { transport } })));
  expect(failure).toMatchObject({ code: 'already_reading', message: expect.stringContaining('Create another one') });
});

test('control requests are recorded, answered by given handlers, and otherwise unknown', async () => {
  const cli = scriptedCli(() => undefined, {
    answers: { get_context_usage: () => ({ model: 'm', total_tokens: 7, is_estimated: true }) },
  });
  await using conversation = query({ prompt: silentPrompt(), options: { transport: cli.transport } });
  expect(conversation.sessionId).toBeUndefined();
  await conversation.setModel('fast');
  expect(conversation.sessionId).toBe('00000000-0000-4000-8000-000000000000');
  expect(await conversation.getContextUsage()).toMatchObject({ total_tokens: 7 });
  await expect(conversation.getUsageInfo()).rejects.toMatchObject({ code: 'unknown_subtype' });
  expect(cli.requests.map(({ subtype }) => subtype)).toEqual([
    'initialize',
    'set_model',
    'get_context_usage',
    'get_usage_info',
  ]);
});

test('closing the query ends the script and leaves nothing waiting', async () => {
  const signals: AbortSignal[] = [];
  const cli = scriptedCli(async ({ signal, asksPermission }) => {
    signals.push(signal);
    await asksPermission('edit', {});
  });
  const canUseTool: CanUseTool = () => new Promise(() => undefined);
  const conversation = query({ prompt: 'x', options: { canUseTool, transport: cli.transport } });
  await conversation.next();
  await conversation.close();
  expect(signals[0]?.aborted).toBe(true);
  expect(cli.waitingCount).toBe(0);
  expect(await collect(conversation)).toEqual([]);
});
