import { processGone, resourceBaseline, verifies, waitUntilGone } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { collect, failureOf, hastyQueryTo, program, queryTo, userMessage } from '../../test/programs.js';
import { AgentError, isAbortError, type SDKUserMessage } from '../index.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const pidOf = (conversation: { readonly pid: number | undefined }): number => conversation.pid ?? -1;

test('leaving the loop leaves no process', async () => {
  verifies('T19', 'FB6');
  const conversation = queryTo('ignores-sigterm', { prompt: 'hang' });
  for await (const message of conversation) {
    expect(message.type).toBe('system');
    void conversation.close({ graceMs: 20 });
    break;
  }
  expect(processGone(pidOf(conversation))).toBe(true);
  expect(await conversation.closed).toMatchObject({ signal: 'SIGKILL' });
});

test('leaving the loop during a turn interrupts it before the CLI is killed', async () => {
  verifies('FB6', 'FB8');
  const conversation = queryTo('hangs-in-turn');
  for await (const message of conversation) if (message.type === 'system') break;
  expect(await conversation.closed).toEqual({ exitCode: 0, signal: null, stderrTail: 'interrupted' });
});

test('throw() and the end of an await-using scope close too', async () => {
  verifies('FB6');
  const thrown = queryTo('never-answers-initialize');
  await expect(thrown.throw(new Error('mine'))).rejects.toThrow('mine');
  expect(processGone(pidOf(thrown))).toBe(true);
  let pid = -1;
  {
    await using scoped = queryTo('never-answers-initialize');
    pid = pidOf(scoped);
    expect(processGone(pid)).toBe(false);
  }
  expect(processGone(pid)).toBe(true);
});

test('an abort throws AbortError from the iteration and ends the process', async () => {
  verifies('FB8');
  const abortController = new AbortController();
  const conversation = queryTo('never-answers-initialize', { options: { abortController } });
  const iteration = failureOf(collect(conversation));
  const waiting = failureOf(conversation.setModel('m'));
  abortController.abort();
  const failure = await iteration;
  expect(failure).toMatchObject({ name: 'AbortError', code: 'aborted' });
  expect(isAbortError(failure)).toBe(true);
  expect(isAbortError(await waiting)).toBe(true);
  await conversation.closed;
  expect(processGone(pidOf(conversation))).toBe(true);
});

test('a query that was aborted before its start never starts a process', async () => {
  const abortController = new AbortController();
  abortController.abort();
  const conversation = queryTo('echoes', { options: { abortController } });
  await expect(collect(conversation)).rejects.toMatchObject({ name: 'AbortError' });
  expect(conversation.pid).toBeUndefined();
  expect(await conversation.closed).toMatchObject({ exitCode: null, signal: null });
});

test('after close() unread messages are dropped and the iteration just ends', async () => {
  const conversation = queryTo('echoes');
  await conversation.initialized;
  await conversation.next();
  await conversation.close();
  expect(await collect(conversation)).toEqual([]);
  await conversation.close();
});

test('after the CLI is killed, yields what was read, then throws process_exited with details', async () => {
  verifies('F38', 'FB9', 'T3', 'GAP-53');
  const seen: string[] = [];
  const conversation = queryTo('dies-mid-turn');
  const failure = await failureOf(
    (async () => {
      for await (const message of conversation) seen.push(message.type);
    })(),
  );
  expect(seen).toEqual(['system', 'assistant']);
  expect(AgentError.is(failure) && failure.code).toBe('process_exited');
  expect(AgentError.is(failure) && failure.data).toEqual({
    exitCode: null,
    signal: 'SIGKILL',
    stderrTail: 'about to die',
    sessionId: conversation.sessionId,
  });
  expect(await conversation.next()).toEqual({ done: true, value: undefined });
});

test('an exit with code 0 before the result is a failure too', async () => {
  verifies('FB7');
  await expect(collect(queryTo('dies-mid-turn', { prompt: 'exit' }))).rejects.toMatchObject({
    code: 'process_exited',
    data: { exitCode: 0, signal: null },
  });
});

test('the error of the last result is part of the failure', async () => {
  verifies('FB9');
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield userMessage('error');
    yield userMessage('die');
  }
  await expect(collect(queryTo('dies-mid-turn', { prompt: prompts() }))).rejects.toMatchObject({
    data: { lastResultError: 'quota is used up' },
  });
});

test('a bad exit code after the last result is no failure', async () => {
  const conversation = queryTo('exits-after-result');
  expect(await collect(conversation)).toHaveLength(1);
  expect(await conversation.closed).toMatchObject({ exitCode: 7 });
});

test('rejects everything pending when the CLI exits', async () => {
  verifies('T5', 'F38', 'GAP-53');
  const conversation = queryTo('never-answers-initialize');
  const iteration = failureOf(collect(conversation));
  const waiting = failureOf(conversation.supportedCommands());
  const ready = failureOf(conversation.initialized);
  process.kill(pidOf(conversation), 'SIGKILL');
  for (const failure of await Promise.all([iteration, waiting, ready])) {
    expect(failure).toMatchObject({ code: 'process_exited', data: { signal: 'SIGKILL' } });
  }
});

test('an early exit is reported with exit code and stderr', async () => {
  verifies('F46', 'FB9');
  const conversation = queryTo('exits-3-with-stderr');
  await expect(collect(conversation)).rejects.toMatchObject({
    code: 'process_exited',
    message: expect.stringContaining('the configuration is broken'),
    data: { exitCode: 3, signal: null, stderrTail: 'first line\nthe configuration is broken' },
  });
  await expect(conversation.initialized).rejects.toMatchObject({ code: 'process_exited' });
});

test('a CLI that never answers initialize times out and is ended', async () => {
  verifies('F45');
  const conversation = queryTo('never-answers-initialize', { options: { timeout: { initialize: 30 } } });
  await expect(collect(conversation)).rejects.toMatchObject({ code: 'timeout' });
  await conversation.closed;
  expect(processGone(pidOf(conversation))).toBe(true);
});

test("a rejected initialize throws the CLI's error before any prompt is sent", async () => {
  verifies('F23', 'O-30', 'T13', 'CF-53');
  const conversation = queryTo('refuses-initialize');
  await expect(collect(conversation)).rejects.toMatchObject({
    code: 'missing_credentials',
    message: 'refused after 0 prompts',
  });
  await conversation.closed;
});

test('a CLI with another protocol version is a typed error that contains both', async () => {
  verifies('F24');
  const conversation = queryTo('speaks-another-version');
  await expect(collect(conversation)).rejects.toMatchObject({
    code: 'unsupported_protocol',
    data: { theirs: 99, ours: 1 },
  });
  await conversation.closed;
});

test('output after the end of input arrives before any signal is sent', async () => {
  verifies('F40');
  const messages = await collect(queryTo('late-last-words'));
  expect(messages.at(-1)).toMatchObject({ type: 'assistant', message: { content: [{ text: 'last words' }] } });
});

test('a CLI that does not exit after its last answer is ended after streamClose and the grace period', async () => {
  verifies('O-02', 'F39');
  const conversation = hastyQueryTo('ignores-sigterm', { options: { timeout: { streamClose: 20 } } });
  expect((await collect(conversation)).map(({ type }) => type)).toEqual(['system', 'result']);
  expect(await conversation.closed).toMatchObject({
    signal: 'SIGKILL',
    stderrTail: 'end of input ignored\nSIGTERM ignored',
  });
});

test('a CLI that closes its input is ended with that reason', async () => {
  verifies('T4', 'O-17');
  const conversation = hastyQueryTo('closes-its-input');
  expect(await conversation.next()).toMatchObject({ value: { subtype: 'init' } });
  await expect(conversation.setModel('m')).rejects.toMatchObject({ code: 'process_exited' });
  await expect(collect(conversation)).rejects.toMatchObject({
    code: 'process_exited',
    message: expect.stringContaining('closed its input'),
    data: { signal: 'SIGTERM' },
  });
});

test('a grandchild that keeps the pipes open does not delay the end', async () => {
  const messages = await collect(queryTo('leaves-a-grandchild'));
  const last = messages.at(-1);
  expect(last?.type).toBe('result');
  const grandchild = Number(last !== undefined && 'grandchild' in last ? last.grandchild : undefined);
  expect(processGone(grandchild)).toBe(false);
  process.kill(grandchild, 'SIGKILL');
  await waitUntilGone(grandchild);
});

test('a missing directory and a missing CLI are different errors', async () => {
  verifies('F44');
  await expect(collect(queryTo('echoes', { options: { cwd: '/does/not/exist' } }))).rejects.toMatchObject({
    code: 'cwd_missing',
    data: { cwd: '/does/not/exist' },
  });
  await expect(collect(queryTo('echoes', { options: { cwd: program('echoes') } }))).rejects.toMatchObject({
    code: 'cwd_missing',
  });
});

test('of ten concurrent queries, the exit of one does not affect the others', async () => {
  verifies('F57');
  const others = Array.from({ length: 9 }, (_, index) => queryTo('echoes', { prompt: String(index) }));
  const dying = queryTo('dies-mid-turn');
  await expect(collect(dying)).rejects.toMatchObject({ code: 'process_exited' });
  const answers = await Promise.all(others.map((conversation) => collect(conversation)));
  expect(answers.map((messages) => messages.at(-1))).toMatchObject(
    others.map((_, index) => ({ result: String(index) })),
  );
});

test('after close() every method rejects with "Query is closed", after leaving the loop with "Input stream closed"', async () => {
  const conversation = queryTo('exits-after-result');
  for await (const _ of conversation) break;
  const methods = {
    interrupt: () => conversation.interrupt(),
    continueLastTurn: () => conversation.continueLastTurn(),
    setModel: () => conversation.setModel('m'),
    setEffort: () => conversation.setEffort('low'),
    setPermissionMode: () => conversation.setPermissionMode('plan'),
    supportedCommands: () => conversation.supportedCommands(),
    mcpServerStatus: () => conversation.mcpServerStatus(),
    getContextUsage: () => conversation.getContextUsage(true),
    getAvailableModels: () => conversation.getAvailableModels(),
    getUsageInfo: () => conversation.getUsageInfo(),
    streamInput: () => conversation.streamInput((async function* () {})()),
  };
  for (const [name, call] of Object.entries(methods)) {
    const failure = await failureOf(call());
    const message = expect.stringContaining('Input stream closed');
    expect({ name, failure }).toMatchObject({ failure: { code: 'channel_closed', message } });
  }
  await conversation.close();
  for (const [name, call] of Object.entries(methods)) {
    expect({ name, failure: await failureOf(call()) }).toMatchObject({
      failure: { code: 'channel_closed', message: 'Query is closed' },
    });
  }
});
