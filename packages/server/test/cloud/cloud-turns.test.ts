import { calls, resourceBaseline, says, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { dataOf, openCloudFixture, typesIn } from '../cloud-fixture.js';
import { framesUntil } from '../event-frames.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const INCREMENTS = [
  'agent.message_start',
  'agent.content_block_start',
  'agent.content_block_delta',
  'agent.content_block_stop',
  'agent.message_delta',
  'agent.message_stop',
];
const TEXT = 'A short sentence, in a few pieces.';

test('with increments enabled a turn streams them, in the order of the document', async () => {
  verifies(
    'R-01',
    'R-03',
    'R-07',
    'R-08',
    'R-13',
    'R-14',
    'R-17',
    'R-18',
    'R-21',
    'R-22',
    'R-23',
    'R-24',
    'R-25',
    'R-26',
  );
  verifies(
    'R-28',
    'R-30',
    'R-34',
    'R-35',
    'R-36',
    'R-37',
    'R-38',
    'R-39',
    'R-40',
    'R-41',
    'R-45',
    'R-46',
    'R-51',
    'CF-61',
  );
  verifies('GAP-85', 'GAP-92', 'GAP-87');
  await using fixture = await openCloudFixture({ replies: [says(TEXT)] });
  const created = await fixture.ask('POST /sessions', {
    agent: { id: 'agent_1', type: 'agent', version: 1 },
    environment_id: 'env_1',
    title: 'incremental streaming verification',
    incremental_streaming_enabled: true,
  });
  expect(created).toMatchObject({
    id: expect.stringMatching(/^sess_[\da-f]{32}$/),
    incremental_streaming_enabled: true,
    status: 'idle',
  });
  const sessionId = String(created['id']);
  const stream = await fixture.follow(`/sessions/${sessionId}/events/stream`);
  const stored = await fixture.say(sessionId, 'Reply with exactly one short sentence.');
  const frames = await framesUntil(stream, 'session.status_idle');
  await stream.return();

  expect(frames[0]?.data).toEqual(stored);
  expect(stored).toMatchObject({
    type: 'user.message',
    id: expect.stringMatching(/^evt_\d{16}$/),
    session_id: sessionId,
    content: [{ type: 'text', text: 'Reply with exactly one short sentence.' }],
    processed_at: expect.any(String),
  });
  const shown = frames
    .map(({ event }) => event)
    .filter((event) => event.startsWith('agent.') || event.endsWith('idle'));
  expect(shown.filter((event, index) => event !== shown[index - 1])).toEqual([
    ...INCREMENTS,
    'agent.message',
    'session.status_idle',
  ]);
  for (const { id, event, data } of frames) {
    expect(data).toMatchObject({ id, type: event, session_id: sessionId, session_thread_id: expect.any(String) });
    expect(data['turn_id']).toBe(stored['turn_id']);
  }
  const messages = frames.filter(({ data }) => 'message_id' in data);
  const [start] = messages;
  const messageId = start?.data['message_id'];
  expect(new Set(messages.map(({ data }) => data['message_id']))).toEqual(new Set([messageId]));
  expect(start?.data['message']).toEqual({
    id: messageId,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  });
  expect(messageId).toMatch(/^asst_/);
  const deltas = frames.filter(({ event }) => event === 'agent.content_block_delta').map(({ data }) => data['delta']);
  expect(deltas.length).toBeGreaterThan(1);
  expect(new Set(deltas.map((delta) => Object(delta).type))).toEqual(new Set(['text_delta']));
  expect(deltas.map((delta) => Object(delta).text).join('')).toBe(TEXT);
  const byType = (type: string) => frames.find(({ event }) => event === type)?.data;
  expect(byType('agent.content_block_start')).toMatchObject({ index: 0, content_block: { type: 'text', text: '' } });
  expect(byType('agent.content_block_stop')).toMatchObject({ index: 0, message_id: messageId });
  expect(byType('agent.message_delta')).toMatchObject({
    delta: { stop_reason: 'end_turn', stop_sequence: null, container: null },
    usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
  });
  expect(byType('agent.message')).toMatchObject({ message_id: messageId, content: [{ type: 'text', text: TEXT }] });
});

test('without increments the complete events are the same, and none of the six types occurs', async () => {
  verifies('R-10', 'R-52', 'R-53', 'R-54', 'R-02');
  const replies = [calls({ name: 'list_directory', input: { path: '.' } }), says(TEXT)];
  const wholeOf = async (more: Readonly<Record<string, unknown>>) => {
    await using fixture = await openCloudFixture({ replies });
    const created = await fixture.ask('POST /sessions', more);
    const sessionId = String(created['id']);
    // Nothing that a request says changes what the session is.
    const path = `/sessions/${sessionId}/events/stream?incremental_streaming_enabled=${String(!created['incremental_streaming_enabled'])}`;
    const stream = await fixture.follow(path);
    await fixture.say(sessionId, 'hi');
    const live = await framesUntil(stream, 'session.status_idle');
    await stream.return();
    const history = dataOf(await fixture.ask(`GET /sessions/${sessionId}/events?limit=200`));
    expect(live.map(({ data }) => data)).toEqual(history);
    return { flag: created['incremental_streaming_enabled'], types: typesIn(history) };
  };
  const on = await wholeOf({ incremental_streaming_enabled: true });
  const off = await wholeOf({ incremental_streaming_enabled: false });
  const missing = await wholeOf({});
  expect([on.flag, off.flag, missing.flag]).toEqual([true, false, false]);
  expect(new Set(on.types.filter((type) => INCREMENTS.includes(String(type)))).size).toBe(6);
  expect(off.types).toEqual(on.types.filter((type) => !INCREMENTS.includes(String(type))));
  expect(missing.types).toEqual(off.types);
  expect(off.types).toEqual(expect.arrayContaining(['agent.tool_result', 'agent.message', 'session.status_idle']));
});

test('one connection receives turn after turn, and history equals the stream', async () => {
  verifies('R-47', 'R-05', 'R-19', 'R-48', 'GAP-96');
  await using fixture = await openCloudFixture({ replies: [says('one'), says('two')] });
  const sessionId = await fixture.newSession();
  const stream = await fixture.follow(`/sessions/${sessionId}/events/stream`);
  await fixture.say(sessionId, 'first');
  const first = await framesUntil(stream, 'session.status_idle');
  await fixture.say(sessionId, 'second');
  const second = await framesUntil(stream, 'session.status_idle');
  await stream.return();
  const history = await fixture.ask(`GET /sessions/${sessionId}/events?limit=200`);
  expect(dataOf(history)).toEqual([...first, ...second].map(({ data }) => data));
  expect(typesIn(dataOf(history))).toEqual(
    expect.arrayContaining(['agent.message_start', 'agent.content_block_delta', 'agent.message_stop']),
  );
  expect(history).toMatchObject({ first_id: first[0]?.id, last_id: second.at(-1)?.id, has_more: false });
});
