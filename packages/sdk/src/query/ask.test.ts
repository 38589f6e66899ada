import { spawn } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { processGone, resourceBaseline } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { failureOf, program } from '../../test/programs.js';
import { AgentError, AskError, type AskOptions, ask, isAbortError, type SpawnProcess } from '../index.js';
import { scriptedCli } from '../testing/index.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

/** Asks one of the fake CLIs, which runs as a process, and records its id. */
function asker(name: string) {
  const pids: number[] = [];
  const spawnProcess: SpawnProcess = ({ command, args, cwd, env }) => {
    const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    pids.push(child.pid ?? -1);
    return child;
  };
  const options: AskOptions = { pathToQwenExecutable: program(name), spawnProcess };
  return { pids, options };
}

async function failedAsk(asked: Promise<unknown>): Promise<AskError> {
  const failure = await failureOf(asked);
  if (!(failure instanceof AskError)) throw failure;
  return failure;
}

test('resolves with text, usage, cost and messages after the process has exited', async () => {
  const { pids, options } = asker('echoes');
  const answer = await ask('hello there', options);
  expect(answer).toMatchObject({
    text: 'hello there',
    output: undefined,
    result: { subtype: 'success' },
    usage: { input_tokens: 0 },
    cost: undefined,
    sessionId: '11111111-2222-4333-8444-555555555555',
  });
  expect(answer.messages.map(({ type }) => type)).toEqual(['system', 'assistant', 'result']);
  expect(pids.map(processGone)).toEqual([true]);
});

test('sends content blocks, and returns the typed output', async () => {
  const { transport, prompts } = scriptedCli(({ result }) => result({ structured_output: { count: '2' } }));
  const blocks = [{ type: 'text' as const, text: 'count' }];
  const outputSchema = z.object({ count: z.string().transform(Number) });
  const { output } = await ask(blocks, { transport, outputSchema });
  expect(output.count).toBe(2);
  expect(prompts.map(({ message }) => message.content)).toEqual([blocks]);
});

test('an answer that does not match the schema rejects', async () => {
  const { transport } = scriptedCli(({ says }) => says('two'));
  const failure = await failedAsk(ask('count', { transport, outputSchema: z.object({ count: z.number() }) }));
  expect(failure).toMatchObject({ code: 'invalid_output', result: { subtype: 'error_output_schema' } });
});

test('a turn that fails rejects with its code, result and messages', async () => {
  const { pids, options } = asker('dies-mid-turn');
  const failure = await failedAsk(ask('error', options));
  expect(failure).toMatchObject({
    name: 'AskError',
    code: 'turn_failed',
    message: 'quota is used up',
    data: { subtype: 'error_during_execution' },
    result: { subtype: 'error_during_execution' },
    messages: [{ type: 'system' }, { type: 'result' }],
    sessionId: '11111111-2222-4333-8444-555555555555',
  });
  expect(AgentError.is(failure)).toBe(true);
  expect(pids.map(processGone)).toEqual([true]);
});

test('a CLI that exits rejects with process_exited and the messages so far', async () => {
  const { pids, options } = asker('dies-mid-turn');
  const failure = await failedAsk(ask('hello', options));
  expect(failure).toMatchObject({
    code: 'process_exited',
    data: { signal: 'SIGKILL', stderrTail: 'about to die' },
    result: undefined,
    messages: [{ type: 'system' }, { type: 'assistant' }],
  });
  expect(failure.cause).toMatchObject({ code: 'process_exited' });
  expect(pids.map(processGone)).toEqual([true]);
});

test.each(['signal', 'abortController'])(
  'an abort of %s rejects with AbortError and leaves no process',
  async (way) => {
    const { pids, options } = asker('hangs-in-turn');
    const controller = new AbortController();
    const asked = ask('hello', {
      ...options,
      ...(way === 'signal' ? { signal: controller.signal } : { abortController: controller }),
    });
    await expect.poll(() => pids.length).toBe(1);
    controller.abort();
    expect(isAbortError(await failureOf(asked))).toBe(true);
    expect(pids.map(processGone)).toEqual([true]);
  },
);

test('an aborted signal starts nothing', async () => {
  const { pids, options } = asker('echoes');
  expect(isAbortError(await failureOf(ask('hello', { ...options, signal: AbortSignal.abort() })))).toBe(true);
  expect(pids).toEqual([]);
});

test('a turn that a denial interrupts rejects with interrupted', async () => {
  const { transport } = scriptedCli(async (turn) => {
    turn.says('half');
    await turn.asksPermission('edit', {});
  });
  const failure = await failedAsk(
    ask('hello', { transport, canUseTool: () => ({ behavior: 'deny', message: 'stop', interrupt: true }) }),
  );
  expect(failure).toMatchObject({ code: 'interrupted', result: { subtype: 'interrupted' } });
});

test('wrong arguments reject with invalid_options', async () => {
  await expect(ask(7 as never)).rejects.toMatchObject({ code: 'invalid_options' });
  await expect(ask('x', { signal: {} as never })).rejects.toMatchObject({ code: 'invalid_options' });
  await expect(ask('x', { modle: 'm' } as never)).rejects.toMatchObject({ code: 'invalid_options' });
});

test('the signal has no listener after the end', async () => {
  const { options } = asker('echoes');
  const { signal } = new AbortController();
  await ask('hello', { ...options, signal });
  await failureOf(ask('hello', { signal, pathToQwenExecutable: '/nowhere/qwen' }));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
