import type { AgentEvent, PermissionAnswer } from '@qwen/agent';
import { verifies } from '@qwen/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import {
  aborted,
  call,
  calling,
  createTestSession,
  hanging,
  ofType,
  outcomes,
  readUntil,
  results,
  ScriptedPermissions,
  START,
  saying,
  text,
  tool,
} from '../../test/scripted-engine.js';

const BY_USER = { by: 'user', reason: 'enough' } as const;
const INTERRUPTED = { type: 'interrupted', ...BY_USER };

afterEach(() => vi.useRealTimers());

/** Runs another turn. Returns its outcome. */
async function nextTurn(
  session: { submit: (m: { uuid: string; content: string }) => void },
  events: AsyncIterator<AgentEvent>,
) {
  session.submit({ uuid: 'next', content: 'next' });
  return outcomes(await readUntil(events, 'turn_end'));
}

test('while text streams: it ends immediately, the text is kept and marked, the next prompt works', async () => {
  verifies('F48');
  const { session, model, log } = createTestSession([hanging(START, text('par'), text('tial')), saying('ok')]);
  session.submit({ uuid: 'u', content: 'go' });
  const events = session.events();
  await readUntil(events, 'block_delta');
  expect(session.interrupt(BY_USER)).toBe(true);
  const rest = await readUntil(events, 'turn_end');
  expect(outcomes(rest)).toEqual([INTERRUPTED]);
  const [end] = ofType(rest, 'message_end');
  expect(end).toMatchObject({ stopReason: 'interrupted', content: [{ type: 'text' }] });
  expect(log.records[1]).toMatchObject({ type: 'assistant', stop_reason: 'interrupted' });
  expect(await nextTurn(session, events)).toEqual([{ type: 'success', text: 'ok' }]);
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
});

test('a model that does not react is abandoned', async () => {
  verifies('F48');
  const deaf = () => ({
    [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }),
  });
  const { session } = createTestSession([deaf, saying('ok')]);
  session.submit({ uuid: 'u', content: 'go' });
  const events = session.events();
  const ended = readUntil(events, 'turn_end');
  await vi.waitFor(() => expect(session.interrupt(BY_USER)).toBe(true));
  expect(outcomes(await ended)).toEqual([INTERRUPTED]);
  expect(await nextTurn(session, events)).toEqual([{ type: 'success', text: 'ok' }]);
});

test('while the model is being created', async () => {
  verifies('F49');
  const asked = Promise.withResolvers<void>();
  let isFirst = true;
  const { session, model } = createTestSession([saying('ok')], {
    createModel: () => {
      asked.resolve();
      if (!isFirst) return Promise.resolve(model);
      isFirst = false;
      return new Promise(() => {});
    },
  });
  session.submit({ uuid: 'u', content: 'go' });
  const ended = readUntil(session.events(), 'turn_end');
  await asked.promise;
  session.interrupt(BY_USER);
  expect(outcomes(await ended)).toEqual([INTERRUPTED]);
});

test('while a tool runs: it gets the signal, its call gets a result, the next prompt works', async () => {
  verifies('F49');
  const wait = tool('wait', {
    execute: async (_input, { signal }) => {
      await aborted(signal);
      return { content: 'got this far' };
    },
  });
  const { session, model } = createTestSession([calling(call('c1', 'wait'), call('c2', 'quick')), saying('ok')], {
    tools: [wait, tool('quick')],
  });
  session.submit({ uuid: 'u', content: 'go' });
  const events = session.events();
  await readUntil(events, 'tool_start');
  session.interrupt(BY_USER);
  const rest = await readUntil(events, 'turn_end');
  expect(outcomes(rest)).toEqual([INTERRUPTED]);
  expect(ofType(rest, 'tool_end').map(({ outcome }) => [outcome.content, outcome.isError])).toEqual([
    ['got this far', true],
    ['quick ran', false],
  ]);
  expect(model.requests).toHaveLength(1);
  expect(await nextTurn(session, events)).toEqual([{ type: 'success', text: 'ok' }]);
});

test('a tool that ignores its signal delays the turn only briefly', async () => {
  verifies('F49');
  vi.useFakeTimers();
  const deaf = tool('deaf', { execute: () => new Promise(() => {}) });
  const { session } = createTestSession([calling(call('c1', 'deaf')), saying('ok')], { tools: [deaf] });
  session.submit({ uuid: 'u', content: 'go' });
  const events = session.events();
  await readUntil(events, 'tool_start');
  session.interrupt(BY_USER);
  const ended = readUntil(events, 'turn_end');
  await vi.advanceTimersByTimeAsync(2_000);
  const rest = await ended;
  expect(outcomes(rest)).toEqual([INTERRUPTED]);
  expect(ofType(rest, 'notice')).toMatchObject([{ code: 'tool_not_stopped' }]);
  expect(results(rest)).toEqual(['deaf: Interrupted: this call was stopped before it was done.']);
  expect(await nextTurn(session, events)).toEqual([{ type: 'success', text: 'ok' }]);
});

test('while a permission waits: the question is withdrawn and a late answer changes nothing', async () => {
  verifies('F49', 'T30');
  const answer = Promise.withResolvers<PermissionAnswer>();
  const asked = Promise.withResolvers<AbortSignal>();
  const permissions = new ScriptedPermissions((_request, signal) => {
    asked.resolve(signal);
    return answer.promise;
  });
  let ran = 0;
  const edit = tool('edit', { kind: 'edit', execute: () => Promise.resolve({ content: String((ran += 1)) }) });
  const { session } = createTestSession([calling(call('c1', 'edit')), saying('ok')], { tools: [edit], permissions });
  session.submit({ uuid: 'u', content: 'go' });
  const events = session.events();
  const ended = readUntil(events, 'turn_end');
  const signal = await asked.promise;
  session.interrupt(BY_USER);
  expect(signal.aborted).toBe(true);
  const rest = await ended;
  expect(results(rest)).toEqual(['edit: Interrupted: this call did not run.']);
  answer.resolve({ behavior: 'allow' });
  expect(await nextTurn(session, events)).toEqual([{ type: 'success', text: 'ok' }]);
  expect(ran).toBe(0);
});

test('with nothing running it reports that and does not affect the next turn', async () => {
  verifies('F50', 'GAP-46', 'T11');
  const { session } = createTestSession([saying('one'), saying('two')]);
  expect(session.interrupt(BY_USER)).toBe(false);
  session.submit({ uuid: 'u', content: 'go' });
  const events = session.events();
  expect(outcomes(await readUntil(events, 'turn_end'))).toEqual([{ type: 'success', text: 'one' }]);
  expect(session.interrupt(BY_USER)).toBe(false);
  expect(await nextTurn(session, events)).toEqual([{ type: 'success', text: 'two' }]);
});

test('a second interrupt does nothing, and the first reason applies', async () => {
  verifies('F50');
  const { session } = createTestSession([hanging(START, text('x')), saying('ok')]);
  session.submit({ uuid: 'u', content: 'go' });
  const events = session.events();
  await readUntil(events, 'block_delta');
  session.interrupt(BY_USER);
  session.interrupt({ by: 'shutdown', reason: 'second' });
  expect(outcomes(await readUntil(events, 'turn_end'))).toEqual([INTERRUPTED]);
  expect(await nextTurn(session, events)).toEqual([{ type: 'success', text: 'ok' }]);
});

test('at each of a hundred moments it stops the current turn or none, never the next', async () => {
  verifies('F50', 'T11');
  const answers = [calling(call('c1', 'look'), call('c2', 'look')), saying('a long answer')];
  const seen = new Set<boolean>();
  for (let moment = 0; moment < 100; moment += 1) {
    const { session } = createTestSession([...answers, saying('ok')], { tools: [tool('look')] });
    session.submit({ uuid: 'u', content: 'go' });
    session.endInput();
    const events = session.events();
    const ended = readUntil(events, 'turn_end');
    for (let tick = 0; tick < moment * 3; tick += 1) await Promise.resolve();
    const hit = session.interrupt(BY_USER);
    const [outcome] = outcomes(await ended);
    expect([outcome?.type, hit]).toEqual([hit ? 'interrupted' : 'success', hit]);
    seen.add(hit);
  }
  expect(seen.size).toBe(2);
});

test('leaving the loop stops the turn and its tools', async () => {
  verifies('T19');
  const stopped = Promise.withResolvers<void>();
  const wait = tool('wait', {
    execute: async (_input, { signal, emit }) => {
      emit('running');
      await aborted(signal);
      stopped.resolve();
      return { content: '' };
    },
  });
  const { session } = createTestSession([calling(call('c1', 'wait')), saying('ok')], { tools: [wait] });
  session.submit({ uuid: 'u', content: 'go' });
  for await (const event of session.events()) {
    if (event.type === 'tool_delta') break;
  }
  await stopped.promise;
  expect(session.interrupt(BY_USER)).toBe(false);
});
