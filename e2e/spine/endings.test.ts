import { AgentError } from '@qwen/protocol';
import type { SDKUserMessage } from '@qwen/sdk';
import { calls, childrenOf, processGone, says, startLineProcess, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { collect, openFixture, results, userMessage } from './fixture.ts';

const SLEEPS = calls({ name: 'run_shell_command', input: { command: 'echo started > started; sleep 1000' } });

/** Everything below the CLI while its tool runs, once the tool has written its mark. */
async function toolProcesses(pid: number, started: Promise<unknown>): Promise<number[]> {
  await started;
  return childrenOf(pid);
}

test('leaving the loop early ends the child process', async () => {
  verifies('FB6', 'T19', 'O-22');
  await using fixture = await openFixture([says('a long story '.repeat(500))], { tokensPerSecond: 100 });
  const conversation = fixture.query('tell', { includePartialMessages: true });
  for await (const message of conversation) if (message.type === 'stream_event') break;
  await conversation.closed;
  expect(processGone(conversation.pid ?? 0)).toBe(true);
});

test('a CLI killed during a turn ends the iterator with signal, stderr and session, and its tool exits too', async () => {
  verifies('F38', 'T5', 'FB9');
  await using fixture = await openFixture([SLEEPS]);
  const toolAllowed = Promise.withResolvers<void>();
  const conversation = fixture.query('sleep', {
    canUseTool: async (_name, input) => {
      toolAllowed.resolve();
      return { behavior: 'allow', updatedInput: input };
    },
  });
  const seen: string[] = [];
  const run = (async () => {
    for await (const message of conversation) seen.push(message.type);
  })();
  await toolAllowed.promise;
  const pid = conversation.pid ?? 0;
  const tools = await toolProcesses(
    pid,
    expect.poll(() => childrenOf(pid).length, { timeout: 10_000 }).toBeGreaterThan(0),
  );
  process.kill(pid, 'SIGKILL');

  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(AgentError.is(error) && error.code).toBe('process_exited');
  expect(AgentError.is(error) && error.data).toMatchObject({ signal: 'SIGKILL', sessionId: conversation.sessionId });
  for (const tool of tools) await waitUntilGone(tool);
});

test('a host killed with SIGKILL leaves no CLI and no tool', async () => {
  verifies('F36', 'F35', 'T31', 'FB6');
  await using fixture = await openFixture([SLEEPS]);
  const host = await startLineProcess({
    command: process.execPath,
    args: [new URL('./programs/host.ts', import.meta.url).pathname, fixture.workspace.path],
    env: fixture.env,
  });
  const started = await host.next({ type: 'tool_started' });
  const family = [Number(started['pid']), ...childrenOf(Number(started['pid']))];
  expect(family.length).toBeGreaterThan(1);
  host.kill('SIGKILL');
  for (const pid of family) await waitUntilGone(pid);
});

test('interrupt stops a running tool and the session takes the next message', async () => {
  verifies('F49', 'FB8', 'M-24', 'M-25', 'T11');
  await using fixture = await openFixture([SLEEPS, says('hello again')]);
  const interrupted = Promise.withResolvers<void>();
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield userMessage('sleep');
    await interrupted.promise;
    yield userMessage('hello');
  }
  const conversation = fixture.query(prompts(), { permissionMode: 'yolo' });
  const pid = () => conversation.pid ?? 0;
  const messages: Awaited<ReturnType<typeof collect>> = [];
  for await (const message of conversation) {
    messages.push(message);
    if (message.type === 'assistant' && messages.filter(({ type }) => type === 'result').length === 0) {
      await expect.poll(() => childrenOf(pid()).length, { timeout: 10_000 }).toBeGreaterThan(0);
      const tools = childrenOf(pid());
      await conversation.interrupt();
      for (const tool of tools) await waitUntilGone(tool);
      interrupted.resolve();
    }
  }
  expect(results(messages)).toMatchObject([
    { subtype: 'interrupted', is_error: false },
    { subtype: 'success', result: 'hello again' },
  ]);
  const history = fixture.model.requests[1]?.messages ?? [];
  expect(history.filter((message) => message.role === 'tool')).toHaveLength(1);
});

test('interrupt is answered while the consumer is paused, and the stream loses nothing', async () => {
  verifies('FB3', 'F29', 'F48');
  await using fixture = await openFixture([says('word '.repeat(20_000)), says('next')]);
  const conversation = fixture.query('talk', { includePartialMessages: true });
  const first = await conversation.next();
  expect(first.done).toBe(false);
  await conversation.interrupt();
  const rest = await collect(conversation);
  expect(results(rest)).toMatchObject([{ subtype: expect.stringMatching(/^(interrupted|success)$/) }]);
});

test('stdin stays open until the last queued message is answered', async () => {
  verifies('FB1', 'F116', 'FB7');
  const write = (path: string) => calls({ name: 'write_file', input: { file_path: path, content: 'x' } });
  await using fixture = await openFixture([write('1.txt'), says('one'), write('2.txt'), says('two')]);
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield userMessage('first');
    yield userMessage('second');
  }
  const asked: string[] = [];
  const conversation = fixture.query(prompts(), {
    canUseTool: async (_name, input) => {
      asked.push(String(input['file_path']));
      return { behavior: 'allow', updatedInput: input };
    },
  });
  expect(results(await collect(conversation)).map((message) => message.result)).toEqual(['one', 'two']);
  expect(asked).toEqual(['1.txt', '2.txt']);
});

test('an abort ends the iteration with AbortError and leaves no child', async () => {
  verifies('O-03');
  await using fixture = await openFixture([says('slow '.repeat(2000))], { tokensPerSecond: 50 });
  const abortController = new AbortController();
  const conversation = fixture.query('talk', { abortController, includePartialMessages: true });
  const run = (async () => {
    for await (const message of conversation) if (message.type === 'stream_event') abortController.abort();
  })();
  await expect(run).rejects.toMatchObject({ name: 'AbortError', code: 'aborted' });
  await conversation.closed;
  expect(processGone(conversation.pid ?? 0)).toBe(true);
});
