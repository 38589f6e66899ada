import { resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { eventsOf, eventThat, openFake } from '../../test/sessions.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

test.each(['message', 'chunk'] as const)(
  'a prompt is answered by events and a result, in the %s format',
  async (format) => {
    verifies('A-26', 'A-22', 'C-13', 'S-08', 'GAP-41');
    await using session = await openFake({}, { format });
    expect(session.receipt).toMatchObject({ protocol_version: 1, capabilities: { heartbeat: true } });
    const turn = session.prompt('echo hello big world');
    const events = await eventsOf(turn);
    const pieces = events.flatMap((event) => (event.kind === 'text' ? [event.text] : []));
    expect(pieces).toEqual(format === 'chunk' ? ['hello ', 'big ', 'world'] : ['hello big world']);
    expect(events.find(({ kind }) => kind === 'message')).toMatchObject({
      role: 'assistant',
      text: 'hello big world',
      finishReason: 'stop',
      sessionId: session.sessionId,
      promptId: turn.promptId,
    });
    expect(events.at(-1)?.kind).toBe('summary');
    expect(await turn.result).toMatchObject({
      sessionId: session.sessionId,
      text: 'hello big world',
      toolCalls: 0,
      usage: { total_tokens: 3 },
      error: undefined,
    });
  },
);

test('the arguments contain the dialect and the format but never a prompt', async () => {
  await using session = await openFake({}, { format: 'chunk', model: 'm', strictProtocol: true });
  expect(session.receipt).toMatchObject({
    argv: [
      '--input-format=stream-json',
      '--output-format=stream-chunk-json',
      '--dialect=openai',
      '--strict-protocol',
      '--model=m',
    ],
  });
});

test('runs sessions in parallel in one process with a shared event stream', async () => {
  verifies('A-27', 'S-05');
  await using session = await openFake();
  const everything = session.events();
  const slow = session.prompt('hang', { sessionId: 'one' });
  const fresh = session.prompt('echo two', { sessionId: '_new' });
  expect(await fresh.result).toMatchObject({ text: 'two' });
  expect(fresh.sessionId).not.toBe(session.sessionId);
  expect(await slow.cancel()).toEqual({ status: 'ok', message: 'Request cancelled.' });
  expect(await slow.result).toMatchObject({ sessionId: 'one', summary: { terminal_reason: 'interrupted' } });
  await session.close();
  const told = (await eventsOf(everything)).map(({ kind, sessionId }) => `${kind} ${sessionId}`);
  expect(told).toContain(`text ${fresh.sessionId}`);
  expect(told.filter((line) => line.endsWith(' one'))).toEqual([
    'cancel one',
    'session_event one',
    'message one',
    'usage one',
    'summary one',
  ]);
});

test('a cancel without a running turn is a noop with a reason', async () => {
  await using session = await openFake();
  expect(await session.cancel({ promptId: 'none' })).toEqual({ status: 'noop', message: 'idle' });
});

test('normalizes the names of session events', async () => {
  verifies('CF-18');
  await using session = await openFake();
  const turn = session.prompt('hang');
  const [events] = await Promise.all([eventsOf(turn), turn.cancel()]);
  expect(events).toContainEqual(expect.objectContaining({ kind: 'session_event', event: 'USER_CANCELLED' }));
});

test('a failed turn resolves with its error, and the next one works', async () => {
  verifies('K-08');
  await using session = await openFake();
  const failed = await session.prompt('fail').result;
  expect(failed.error).toMatchObject({ code: 'rate_limited', message: 'too fast' });
  expect(failed.summary?.is_error).toBe(true);
  expect(await session.prompt('echo on').result).toMatchObject({ text: 'on' });
});

test('a rejected input ends its turn, identified by its line number', async () => {
  verifies('GAP-12');
  await using session = await openFake();
  const [refused, fine] = [session.prompt('fly away'), session.prompt('echo ok')];
  expect((await refused.result).error).toMatchObject({ code: 'invalid_message', message: 'cannot fly' });
  expect(await fine.result).toMatchObject({ text: 'ok', error: undefined });
});

test('a refused input does not affect the turn before it', async () => {
  verifies('GAP-12');
  await using session = await openFake();
  const [before, refused] = [session.prompt('hang'), session.prompt('fly away')];
  expect((await refused.result).error).toMatchObject({ message: 'cannot fly' });
  await before.cancel();
  expect(await before.result).toMatchObject({ error: undefined });
});

test('overrides of one prompt apply only to it', async () => {
  verifies('E-19');
  await using session = await openFake();
  const overrides = { model: 'm', temperature: 0.2, topP: 0.5, maxTokens: 9, tools: ['glob'] };
  const { text } = await session.prompt('options', overrides).result;
  expect(JSON.parse(text)).toEqual({
    options: { model: 'm', temperature: 0.2, top_p: 0.5, max_tokens: 9, tool_overrides: ['glob'] },
  });
  expect(JSON.parse((await session.prompt('options').result).text)).toEqual({});
});

test('a raw request is sent as it is', async () => {
  await using session = await openFake();
  const everything = session.events();
  const text = 'echo raw';
  await session.send({
    session_id: 'own',
    prompt_id: 'mine',
    input: { origin: 'user', parts: [{ type: 'text', text }] },
  });
  expect(await eventThat(everything, ({ kind }) => kind === 'summary')).toMatchObject({
    sessionId: 'own',
    promptId: 'mine',
  });
});

test('leaving the events early stops neither the turn nor the session', async () => {
  await using session = await openFake({}, { format: 'chunk' });
  const turn = session.prompt('echo a b c');
  for await (const { kind } of turn) if (kind === 'text') break;
  expect(await turn.result).toMatchObject({ text: 'a b c' });
  await session.events().return?.();
  expect(await session.prompt('echo on').result).toMatchObject({ text: 'on' });
});

test('the events of a turn have one reader', async () => {
  await using session = await openFake();
  const turn = session.prompt('echo once');
  await eventsOf(turn);
  expect(() => turn[Symbol.asyncIterator]()).toThrow(expect.objectContaining({ code: 'already_reading' }));
});

test('a heartbeat reports its time and round trip', async () => {
  verifies('H-07');
  await using session = await openFake();
  const beat = await session.heartbeat();
  expect(beat).toMatchObject({ status: 'ok', at: new Date(1_739_430_123_000) });
  expect(beat.tookMs).toBeGreaterThanOrEqual(0);
});

test('control requests go both ways, and those of the CLI are events', async () => {
  verifies('J-14', 'CF-35');
  const asked: unknown[] = [];
  await using session = await openFake(
    {},
    {
      onConfirm: (question) => {
        asked.push(question);
        return 'proceed_once';
      },
    },
  );
  const everything = session.events();
  expect(await session.sendControlRequest('set_model', { model: 'm' })).toBeNull();
  const noted = await eventThat(everything, ({ kind }) => kind === 'unknown');
  expect(asked).toEqual([{ kind: 'action', prompt: 'Sure?', raw: '/x' }]);
  expect(noted).toMatchObject({
    value: { value: { response: { response: { confirmationOutcome: 'proceed_once' } } } },
  });
});
