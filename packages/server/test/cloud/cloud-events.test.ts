import { calls, lastText, resourceBaseline, says, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { type CloudFixture, dataOf, openCloudFixture, typesIn } from '../cloud-fixture.js';
import { framesUntil } from '../event-frames.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

/** Says something and waits for the end of the turn. */
async function playTurn(fixture: CloudFixture, sessionId: string, text = 'go') {
  const stream = await fixture.follow(`/sessions/${sessionId}/events/stream`);
  await fixture.say(sessionId, text);
  const frames = await framesUntil(stream, 'session.status_idle');
  await stream.return();
  return frames;
}

const idsOf = (items: readonly Readonly<Record<string, unknown>>[]) => items.map(({ id }) => id);

test('each subagent has a thread, whose history and stream contain only its events', async () => {
  verifies('R-04', 'R-06', 'R-09', 'R-20', 'R-49', 'GAP-97');
  const input = { description: 'look', prompt: 'look around', subagent_type: 'general-purpose' };
  await using fixture = await openCloudFixture({
    replies: [calls({ name: 'task', input }), says('seen from below'), says('done')],
  });
  const sessionId = await fixture.newSession();
  const [primary] = dataOf(await fixture.ask(`GET /sessions/${sessionId}/threads?limit=20`));
  expect(primary).toMatchObject({ type: 'session_thread', session_id: sessionId, parent_tool_use_id: null });
  const primaryPath = `/sessions/${sessionId}/threads/${String(primary?.['id'])}`;
  const primaryStream = await fixture.follow(`${primaryPath}/stream`);
  const all = (await playTurn(fixture, sessionId)).map(({ data }) => data);
  const live = (await framesUntil(primaryStream, 'session.status_idle')).map(({ data }) => data);
  await primaryStream.return();

  const threads = await fixture.ask(`GET /sessions/${sessionId}/threads?limit=20`);
  const [, below] = dataOf(threads);
  expect(threads).toMatchObject({ data: [primary, { parent_tool_use_id: 'call_1' }], has_more: false });
  expect(await fixture.ask(`GET /sessions/${sessionId}/threads?limit=1`)).toMatchObject({
    data: [primary],
    has_more: true,
  });
  expect(dataOf(await fixture.ask(`GET /sessions/${sessionId}/threads?after_id=${String(primary?.['id'])}`))).toEqual([
    below,
  ]);

  const ownOf = (thread: unknown) => all.filter(({ session_thread_id: id }) => id === thread);
  expect(live).toEqual(ownOf(primary?.['id']));
  expect(dataOf(await fixture.ask(`GET ${primaryPath}/events?limit=200`))).toEqual(live);
  const belowPath = `/sessions/${sessionId}/threads/${String(below?.['id'])}`;
  const belowEvents = dataOf(await fixture.ask(`GET ${belowPath}/events?limit=200`));
  expect(belowEvents).toEqual(ownOf(below?.['id']));
  expect(typesIn(belowEvents)).toEqual(
    expect.arrayContaining(['agent.message_start', 'agent.content_block_delta', 'agent.message_stop', 'agent.message']),
  );

  // Page by page, also over what is of other threads, forwards and backwards.
  const forwards: unknown[] = [];
  for (let afterId = '0', hasMore = true; hasMore; ) {
    const page = await fixture.ask(`GET ${belowPath}/events?limit=2&after_id=${afterId}`);
    forwards.push(...dataOf(page));
    afterId = String(page['last_id']);
    hasMore = page['has_more'] === true;
  }
  expect(forwards).toEqual(belowEvents);
  const backwards: unknown[] = [];
  for (let beforeId = String(all.at(-1)?.['id']), hasMore = true; hasMore; ) {
    const page = await fixture.ask(`GET ${belowPath}/events?limit=2&before_id=${beforeId}`);
    backwards.unshift(...dataOf(page));
    beforeId = String(page['first_id']);
    hasMore = page['has_more'] === true;
  }
  expect(backwards).toEqual(belowEvents);
});

test('history is paged oldest first, twenty items by default, from any event in both directions', async () => {
  verifies('R-05', 'R-19', 'R-48', 'GAP-84');
  await using fixture = await openCloudFixture({ replies: [says('word '.repeat(150))] });
  const sessionId = await fixture.newSession();
  const ids = idsOf((await playTurn(fixture, sessionId)).map(({ data }) => data));
  const read = (query: string) => fixture.ask(`GET /sessions/${sessionId}/events${query}`);
  const first = await read('');
  expect(idsOf(dataOf(first))).toEqual(ids.slice(0, 20));
  expect(first).toMatchObject({ first_id: ids[0], last_id: ids[19], has_more: true });
  expect(idsOf(dataOf(await read('?limit=1000')))).toEqual(ids);
  expect(await read(`?limit=${ids.length}`)).toMatchObject({ has_more: false });
  for (const place of [1, 7, ids.length - 1]) {
    const after = await read(`?limit=5&after_id=${String(ids[place - 1])}`);
    expect(idsOf(dataOf(after))).toEqual(ids.slice(place, place + 5));
    expect(after['has_more']).toBe(place + 5 < ids.length);
    const before = await read(`?limit=5&before_id=${String(ids[place])}`);
    expect(idsOf(dataOf(before))).toEqual(ids.slice(Math.max(0, place - 5), place));
    expect(before['has_more']).toBe(place > 5);
  }
  expect(await read(`?after_id=${String(ids.at(-1))}`)).toMatchObject({ data: [], first_id: null, has_more: false });
});

test('evicted events are announced, in history and in the stream', async () => {
  verifies('F120', 'GAP-95');
  await using fixture = await openCloudFixture({
    replies: [says('word '.repeat(100))],
    log: { retention: { maxEvents: 10 } },
  });
  const sessionId = await fixture.newSession();
  const ids = idsOf((await playTurn(fixture, sessionId)).map(({ data }) => data));
  const page = await fixture.ask(`GET /sessions/${sessionId}/events?limit=200`);
  const left = dataOf(page);
  expect(idsOf(left)).toEqual(ids.slice(ids.indexOf(left[0]?.['id'])));
  expect(page['evicted']).toMatchObject({ from_id: ids[0] });
  const stream = await fixture.follow(`/sessions/${sessionId}/events/stream`, String(ids[2]));
  const frames = await framesUntil(stream, 'session.status_idle');
  await stream.return();
  expect(frames[0]).toMatchObject({ id: '', event: 'resync', data: { from_seq: 4 } });
  expect(frames.slice(1).map(({ id }) => id)).toEqual(idsOf(left));
});

test('thinking and tools are sent as increments, then as complete events', async () => {
  verifies('R-26', 'R-27', 'R-29', 'R-31', 'R-33', 'R-34', 'R-38', 'R-43', 'R-44', 'GAP-93', 'GAP-99', 'CF-57');
  const replies = [
    { ...calls({ name: 'list_directory', input: { path: '.' } }), reasoning: 'I should look first.' },
    says('seen'),
  ];
  await using fixture = await openCloudFixture({ replies });
  const frames = await playTurn(fixture, await fixture.newSession());
  const [message] = frames.filter(({ event }) => event === 'agent.message').map(({ data }) => data);
  const own = frames.map(({ data }) => data).filter((data) => data['message_id'] === message?.['message_id']);
  const blocks: readonly unknown[] = Array.isArray(message?.['content']) ? message['content'] : [];
  expect(blocks.map((block) => Object(block).type)).toEqual(['thinking', 'tool_use']);
  const pieces = (index: number) =>
    own
      .filter((data) => data['type'] === 'agent.content_block_delta' && data['index'] === index)
      .map(({ delta }) => Object(delta));
  expect(own.filter(({ type }) => type === 'agent.content_block_start')).toMatchObject([
    { index: 0, content_block: { type: 'thinking', thinking: '' } },
    { index: 1, content_block: { type: 'tool_use', id: 'call_1', name: 'list_directory', input: {} } },
  ]);
  expect(new Set(pieces(0).map(({ type }) => type))).toEqual(new Set(['thinking_delta']));
  expect(
    pieces(0)
      .map(({ thinking }) => thinking)
      .join(''),
  ).toBe('I should look first.');
  expect(new Set(pieces(1).map(({ type }) => type))).toEqual(new Set(['input_json_delta']));
  expect(
    JSON.parse(
      pieces(1)
        .map(({ partial_json: json }) => json)
        .join(''),
    ),
  ).toEqual({ path: '.' });
  expect(own).toContainEqual(
    expect.objectContaining({ type: 'agent.thinking', index: 0, thinking: 'I should look first.' }),
  );
  expect(own).toContainEqual(expect.objectContaining({ type: 'agent.tool_use', index: 1, tool_use_id: 'call_1' }));
  const results = frames.filter(({ event }) => event === 'agent.tool_result');
  expect(results.map(({ data }) => data)).toMatchObject([{ tool_use_id: 'call_1', is_error: false }]);
  expect(JSON.stringify(frames)).not.toContain('tool_output_delta');
});

test('an interrupted answer is closed (block, message, complete event, idle), and the session takes the next message', async () => {
  verifies('GAP-85', 'GAP-98', 'F127', 'R-40');
  await using fixture = await openCloudFixture({
    replies: [says('word '.repeat(3000)), says('fine')],
    pace: { tokensPerSecond: 50 },
  });
  const sessionId = await fixture.newSession();
  const stream = await fixture.follow(`/sessions/${sessionId}/events/stream`);
  await fixture.say(sessionId, 'talk');
  const begun = await framesUntil(stream, 'agent.content_block_delta');
  const interrupt = { events: [{ type: 'user.interrupt' }] };
  const [wish] = dataOf(await fixture.ask(`POST /sessions/${sessionId}/events`, interrupt));
  expect(wish).toMatchObject({ type: 'user.interrupt', id: expect.stringMatching(/^evt_/), session_id: sessionId });
  const frames = [...begun, ...(await framesUntil(stream, 'session.status_idle'))];
  expect(frames.map(({ data }) => data)).toContainEqual(wish);
  const told = frames.map(({ event }) => event).filter((event) => event !== 'user.interrupt');
  expect(told.slice(told.lastIndexOf('agent.content_block_delta') + 1)).toEqual([
    'agent.content_block_stop',
    'agent.message_delta',
    'agent.message_stop',
    'agent.message',
    'turn.ended',
    'session.status_idle',
  ]);
  const deltas = frames.filter(({ event }) => event === 'agent.content_block_delta');
  const whole = frames.find(({ event }) => event === 'agent.message')?.data['content'];
  expect(whole).toMatchObject([{ text: deltas.map(({ data }) => Object(data['delta']).text).join('') }]);
  // Once more changes nothing.
  await fixture.ask(`POST /sessions/${sessionId}/events`, interrupt);
  await fixture.say(sessionId, 'and now?');
  const next = await framesUntil(stream, 'session.status_idle');
  await stream.return();
  expect(next.find(({ event }) => event === 'turn.ended')?.data).toMatchObject({ outcome: 'success', result: 'fine' });
});

test('several events are accepted in order; the same idempotency key returns the same turns', async () => {
  verifies('R-18', 'F129', 'F130', 'GAP-85', 'GAP-87');
  await using fixture = await openCloudFixture({ replies: [(request) => says(`heard ${lastText(request)}`)] });
  const sessionId = await fixture.newSession();
  const stream = await fixture.follow(`/sessions/${sessionId}/events/stream`);
  const body = { events: ['one', 'two'].map((content) => ({ type: 'user.message', content })) };
  const post = async () => {
    const headers = { authorization: 'Bearer pat_of-this-test', 'idempotency-key': 'mine' };
    const response = await fixture.request(`POST /sessions/${sessionId}/events`, body, headers);
    return dataOf(Object(await response.json()));
  };
  const stored = await post();
  expect(stored.map(({ content }) => content)).toEqual(['one', 'two'].map((text) => [{ type: 'text', text }]));
  expect(await post()).toEqual(stored);
  const frames = [
    ...(await framesUntil(stream, 'session.status_idle')),
    ...(await framesUntil(stream, 'session.status_idle')),
  ];
  await stream.return();
  expect(await post()).toEqual(stored);
  expect(frames.filter(({ event }) => event === 'turn.ended').map(({ data }) => data['result'])).toEqual([
    'heard one',
    'heard two',
  ]);
  expect(fixture.model.requests).toHaveLength(2);
});

test('a tool that needs approval asks on the stream and accepts the answer of any client with the token', async () => {
  verifies('GAP-71');
  const writes = (path: string) => calls({ name: 'write', input: { path, content: 'new' } });
  await using fixture = await openCloudFixture({ replies: [writes('a.txt'), writes('b.txt'), says('done')] });
  const sessionId = await fixture.newSession();
  const stream = await fixture.follow(`/sessions/${sessionId}/events/stream`);
  await fixture.say(sessionId, 'write');
  const answer = async (verdict: unknown) => {
    const question = (await framesUntil(stream, 'approval.requested')).at(-1)?.data ?? {};
    const call = `POST /sessions/${sessionId}/approvals/${String(question['approval_id'])}`;
    expect((await fixture.request(call, { behavior: 'perhaps' })).status).toBe(400);
    expect(await fixture.ask(call, verdict)).toMatchObject({ id: question['approval_id'] });
    expect((await fixture.request(call, verdict)).status).toBe(404);
    return question;
  };
  expect(await answer({ behavior: 'allow' })).toMatchObject({
    tool_name: 'write_file',
    expires_at: expect.any(Number),
  });
  await answer({ behavior: 'deny', message: 'not that one' });
  const rest = await framesUntil(stream, 'session.status_idle');
  await stream.return();
  expect(await fixture.folder.read('a.txt')).toBe('new');
  await expect(fixture.folder.read('b.txt')).rejects.toMatchObject({ code: 'ENOENT' });
  expect(rest.find(({ event }) => event === 'approval.settled')?.data).toMatchObject({
    by: 'client',
    behavior: 'deny',
  });
  expect(JSON.stringify(rest)).toContain('not that one');
});
