import { resourceBaseline, says, verifies } from '@qwen/testkit';
import { EventSource } from 'eventsource';
import { afterAll, expect, test } from 'vitest';
import { type CloudFixture, openCloudFixture, TOKEN } from '../cloud-fixture.js';
import { type Frame, framesUntil } from '../event-frames.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

/** As many pieces as make a turn of more than 200 events. */
const LONG = 'A word and another one. '.repeat(110);
const SHORT = 'A word and another one. '.repeat(20);

/** A session that has played a long turn, and its events. */
async function playLongTurn(fixture: CloudFixture) {
  const sessionId = await fixture.newSession();
  const path = `/sessions/${sessionId}/events/stream`;
  const stream = await fixture.follow(path);
  await fixture.say(sessionId, 'go');
  const frames = await framesUntil(stream, 'session.status_idle');
  await stream.return();
  expect(frames.length).toBeGreaterThan(200);
  return { sessionId, path, frames };
}

test('a stream cut at every event of a long turn resumes without gaps and repetitions', {
  timeout: 60_000,
}, async () => {
  verifies('R-50', 'R-51', 'F118', 'GAP-95', 'GAP-96');
  await using fixture = await openCloudFixture({ replies: [says(LONG)] });
  const { path, frames } = await playLongTurn(fixture);
  for (const [index, { id }] of frames.slice(0, -1).entries()) {
    const stream = await fixture.followInside(path, id);
    expect(await framesUntil(stream, 'session.status_idle')).toEqual(frames.slice(index + 1));
    await stream.return();
  }
});

test('a client that disconnects at every event of a running turn receives each once and stops nothing', {
  timeout: 60_000,
}, async () => {
  verifies('R-50', 'F118', 'F126', 'R-41');
  await using fixture = await openCloudFixture({ replies: [says(SHORT)], pace: { tokensPerSecond: 200 } });
  const sessionId = await fixture.newSession();
  await fixture.say(sessionId, 'go');
  const read: Frame[] = [];
  while (read.at(-1)?.event !== 'session.status_idle') {
    const stream = await fixture.follow(`/sessions/${sessionId}/events/stream`, read.at(-1)?.id ?? '0');
    const { value } = await stream.next();
    if (value !== undefined) read.push(value);
    await stream.return();
  }
  expect(read.map(({ data }) => data['seq'])).toEqual(read.map((_, index) => index + 1));
  const deltas = read.filter(({ event }) => event === 'agent.content_block_delta');
  expect(deltas.map(({ data }) => Object(data['delta']).text).join('')).toBe(SHORT);
});

test('the official EventSource client resumes by itself, even if it is cut before the first event', {
  timeout: 60_000,
}, async () => {
  verifies('R-50', 'R-51', 'F118', 'GAP-95');
  await using fixture = await openCloudFixture({ replies: [says(LONG)] });
  const sessionId = await fixture.newSession();
  const asked: (string | undefined)[] = [];
  const source = new EventSource(`${fixture.url}/sessions/${sessionId}/events/stream`, {
    fetch: async (url, init) => {
      const headers = { ...init.headers, authorization: `Bearer ${TOKEN}` };
      asked.push(new Headers(headers).get('last-event-id') ?? undefined);
      const response = await fetch(url, { ...init, headers });
      // The first connection breaks before anything has happened, each further one after a few events.
      const isFirst = asked.length === 1;
      return cutAfter(response, isFirst ? 0 : 40);
    },
  });
  const ids: string[] = [];
  const isOver = new Promise<void>((resolve) => {
    for (const type of ['user.message', 'agent.content_block_delta', 'agent.message', 'session.status_idle']) {
      source.addEventListener(type, ({ lastEventId }) => {
        ids.push(lastEventId);
        if (type === 'session.status_idle') resolve();
      });
    }
  });
  await new Promise<void>((resolve) => {
    source.addEventListener('error', () => resolve(), { once: true });
  });
  // No client is connected now.
  await fixture.say(sessionId, 'go');
  await isOver;
  source.close();
  expect(asked.slice(0, 2)).toEqual([undefined, 'evt_0000000000000000']);
  expect(asked.length).toBeGreaterThan(5);
  const stream = await fixture.follow(`/sessions/${sessionId}/events/stream`, '0');
  const frames = await framesUntil(stream, 'session.status_idle');
  await stream.return();
  const heard = new Set(['user.message', 'agent.content_block_delta', 'agent.message', 'session.status_idle']);
  expect(ids).toEqual(frames.filter(({ event }) => heard.has(event)).map(({ id }) => id));
});

test('ten thousand reconnects: each resumes where the previous one ended, and nothing leaks', {
  timeout: 120_000,
}, async () => {
  verifies('R-50', 'F118', 'F124');
  await using fixture = await openCloudFixture({ replies: [says(LONG)] });
  const { path, frames } = await playLongTurn(fixture);
  const last = frames.length - 1;
  let connections = 0;
  const readers = Array.from({ length: 20 }, async () => {
    for (let round = 0; round < 500; round += 1) {
      const place = (round * 7) % last;
      const stream = await fixture.followInside(path, frames[place]?.id);
      const { value } = await stream.next();
      expect(value).toEqual(frames[place + 1]);
      await stream.return();
      connections += 1;
    }
  });
  await Promise.all(readers);
  expect(connections).toBe(10_000);
});

test('five hundred clients that return at the same time all receive what they missed', {
  timeout: 60_000,
}, async () => {
  verifies('F128');
  await using fixture = await openCloudFixture({
    replies: [says(LONG)],
    log: { limits: { maxSubscribers: 600 } },
  });
  const { path, frames } = await playLongTurn(fixture);
  const replays = Array.from({ length: 500 }, async (_, index) => {
    const place = index % (frames.length - 1);
    const stream = await fixture.followInside(path, frames[place]?.id);
    const ids = (await framesUntil(stream, 'session.status_idle')).map(({ id }) => id);
    await stream.return();
    return { ids, wanted: frames.slice(place + 1).map(({ id }) => id) };
  });
  for (const { ids, wanted } of await Promise.all(replays)) expect(ids).toEqual(wanted);
  const waits = await Promise.all(Array.from({ length: 10 }, () => retryOf(fixture, path)));
  // Their retry delays differ, so that they do not all reconnect at once.
  expect(new Set(waits).size).toBeGreaterThan(1);
});

/** The response with a body that ends this number of frames after the first. */
function cutAfter(response: Response, frames: number): Response {
  let left = frames + 1;
  const cut = new TransformStream<string, string>({
    transform(text, controller) {
      const blocks = text.replace(/^retry: \d+$/m, 'retry: 1').split(/(?<=\n\n)/);
      controller.enqueue(blocks.slice(0, left).join(''));
      left -= blocks.length;
      if (left <= 0) controller.terminate();
    },
  });
  const body = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(cut)
    .pipeThrough(new TextEncoderStream());
  return Object.defineProperty(new Response(body ?? null, response), 'url', { value: response.url });
}

/** The reconnection delay of a stream, in milliseconds. */
async function retryOf(fixture: CloudFixture, path: string): Promise<number> {
  const response = await fixture.request(`GET ${path}`);
  const { value = new Uint8Array() } = (await response.body?.getReader().read()) ?? {};
  await response.body?.cancel().catch(() => undefined);
  return Number(/^retry: (\d+)$/m.exec(new TextDecoder().decode(value))?.[1]);
}
