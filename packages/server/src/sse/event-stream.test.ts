import { verifies } from '@qwen/testkit';
import { EventSource } from 'eventsource';
import { describe, expect, test } from 'vitest';
import { startCuttingProxy } from '../../test/cutting-proxy.js';
import { startEventServer } from '../../test/event-server.js';
import { filled, numbered, upTo } from '../../test/log-readers.js';
import { RawClient } from '../../test/raw-client.js';
import type { EventLogOptions } from '../log/event-log.js';
import { openEventLog } from '../log/open-event-log.js';

async function openLog(options?: EventLogOptions) {
  const log = await openEventLog('memory:', options);
  return Object.assign(log, { [Symbol.asyncDispose]: () => log.close() });
}

/** Ids and data of the `count` events that the official client hands out, until the last one is there. */
async function collect(url: string, lastSeq: number): Promise<{ readonly ids: string[]; readonly data: string[] }> {
  const source = new EventSource(url);
  const ids: string[] = [];
  const data: string[] = [];
  await new Promise<void>((resolve, reject) => {
    source.addEventListener('count', ({ lastEventId, data: text }) => {
      ids.push(lastEventId);
      data.push(String(text));
      if (lastEventId === String(lastSeq)) resolve();
    });
    source.addEventListener('error', ({ code }) => {
      if (source.readyState === source.CLOSED) reject(new Error(`given up at ${String(code)}`));
    });
  });
  source.close();
  return { ids, data };
}

describe('a client that loses its connection', () => {
  test('at every event: receives each event once', { timeout: 60_000 }, async () => {
    verifies('F118', 'T14', 'T15');
    await using log = await openLog();
    await filled(log, 'a', 40);
    await using server = await startEventServer(log, { retryMs: 0.1 });
    const cutAfterOne = (answer: Buffer) => {
      const start = answer.indexOf('event: count');
      const end = start === -1 ? -1 : answer.indexOf('\n\n', start);
      return end === -1 ? undefined : end + 2;
    };
    await using proxy = await startCuttingProxy(server.port, cutAfterOne);
    const collecting = collect(`${proxy.url}/a`, 80);
    for (let seq = 41; seq <= 80; seq += 1) await log.append('a', numbered(seq, seq));
    const { ids, data } = await collecting;
    expect(ids).toEqual(upTo(80).map(String));
    expect(data).toEqual(ids);
    expect(proxy.connections).toBeGreaterThanOrEqual(80);
  });

  test('at any byte: receives each event once', { timeout: 60_000 }, async () => {
    verifies('F118');
    await using log = await openLog();
    await filled(log, 'a', 60);
    await using server = await startEventServer(log, { retryMs: 0.1 });
    // Every second connection may go far enough for progress, so that cuts inside of heads do not go on for ever.
    const cutSomewhere = (answer: Buffer, connection: number) => {
      const budget = connection % 2 === 0 ? 700 : connection * 7;
      return answer.length < budget || connection > 150 ? undefined : budget;
    };
    await using proxy = await startCuttingProxy(server.port, cutSomewhere);
    const { ids, data } = await collect(`${proxy.url}/a`, 60);
    expect(ids).toEqual(upTo(60).map(String));
    expect(data).toEqual(ids);
  });

  test('receives the number of evicted events, in the head and as an event', async () => {
    await using log = await openLog({ retention: { maxEvents: 10 } });
    await filled(log, 'a', 30);
    await using server = await startEventServer(log);
    using client = await RawClient.connect(server.port);
    client.get('/a', 'Last-Event-ID: 4');
    const text = await client.until('replay_complete');
    expect(text).toContain('last-event-id: 20\r\n');
    expect(text).toContain('event: resync\ndata: {"type":"resync","from_seq":5,"to_seq":20}\n\nid: 21\n');
  });

  test('an unknown ID is refused before the stream starts', async () => {
    verifies('F121');
    await using log = await openLog();
    await filled(log, 'a', 3);
    await filled(log, 'b', 30);
    await using server = await startEventServer(log);
    // The id of an event of another session, garbage, a line break, 15 kB.
    for (const id of ['30', 'x', '1%0d%0a', '1\tSet-Cookie: a=b', '9'.repeat(15_000)]) {
      using client = await RawClient.connect(server.port);
      client.get('/a', `Last-Event-ID: ${id}`);
      expect(await client.status()).toBe(400);
      await client.until('invalid_cursor');
      expect(client.received.toLowerCase()).not.toContain('set-cookie');
    }
    using client = await RawClient.connect(server.port);
    client.get('/a', `Last-Event-ID: 1\0`);
    expect(await client.status()).toBe(400);
    using huge = await RawClient.connect(server.port);
    huge.get('/a', `Last-Event-ID: ${'9'.repeat(1_000_000)}`);
    expect(await huge.status()).toBe(431);
  });
});

describe('the stream', () => {
  test('has the right headers, starts immediately and sends heartbeats', async () => {
    verifies('F137');
    await using log = await openLog();
    await filled(log, 'a', 1);
    await using server = await startEventServer(log, { heartbeatMs: 1 });
    using client = await RawClient.connect(server.port);
    client.get('/a', 'Accept-Encoding: gzip', 'Last-Event-ID: 1');
    const text = await client.until('\n: \n\n');
    const head = text.slice(0, text.indexOf('\r\n\r\n')).toLowerCase();
    expect(head).toContain('content-type: text/event-stream; charset=utf-8');
    expect(head).toContain('cache-control: no-cache, no-transform');
    expect(head).toContain('x-accel-buffering: no');
    expect(head).not.toContain('content-encoding');
    expect(text).toMatch(/retry: \d{4}\n\n/);
    await log.append('a', [{ type: 'x', data: JSON.stringify('\n\nevent: y\ndata: {}\u2028☃') }]);
    expect(await client.until('☃')).toContain('id: 2\nevent: x\ndata: "\\n\\nevent: y\\ndata: {}\u2028☃"\n\n');
  });

  test('for a finished session, sends the rest and the reason, then 204, which stops an EventSource', async () => {
    verifies('T17');
    await using log = await openLog();
    await filled(log, 'a', 2);
    await using server = await startEventServer(log, { retryMs: 0.1 });
    const source = new EventSource(`${server.url}/a`);
    const seen: string[] = [];
    for (const type of ['count', 'replay_complete', 'stream_end']) {
      source.addEventListener(type, ({ data }) => {
        seen.push(`${type} ${String(data)}`);
        if (type === 'replay_complete') void log.finish('a');
      });
    }
    const code = await new Promise((resolve) => {
      source.addEventListener('error', (event) => {
        if (source.readyState === source.CLOSED) resolve(event.code);
      });
    });
    expect(code).toBe(204);
    expect(seen).toEqual([
      'count 1',
      'count 2',
      'replay_complete {"type":"replay_complete","seq":2}',
      'stream_end {"type":"stream_end","reason":"finished","seq":2}',
    ]);
  });

  test('for a deleted session, sends the reason, then 404', async () => {
    verifies('F139');
    await using log = await openLog();
    await filled(log, 'a', 2);
    await using server = await startEventServer(log);
    using client = await RawClient.connect(server.port);
    client.get('/a', 'Connection: close');
    await client.until('replay_complete');
    await log.delete('a');
    await client.closed;
    expect(client.received).toMatch(
      /event: session_deleted\ndata: \{"type":"session_deleted","reason":"deleted","seq":2\}\n\n/,
    );
    using again = await RawClient.connect(server.port);
    again.get('/a', 'Last-Event-ID: 2');
    expect(await again.status()).toBe(404);
  });

  test('a closing server notifies every stream', async () => {
    await using log = await openLog();
    await filled(log, 'a', 2);
    await using server = await startEventServer(log);
    using client = await RawClient.connect(server.port);
    client.get('/a', 'Connection: close');
    await client.until('replay_complete');
    await log.close();
    await client.closed;
    expect(client.received).toContain('event: server_shutdown\n');
  });

  test('ends cleanly at its maximum age, with or without traffic, and the client resumes', async () => {
    await using log = await openLog();
    await filled(log, 'a', 1);
    await using server = await startEventServer(log, { maxAgeMs: 1, retryMs: 0.1 });
    const collecting = collect(`${server.url}/a`, 50);
    for (let seq = 2; seq <= 50; seq += 1) await log.append('a', numbered(seq, seq));
    expect((await collecting).ids).toEqual(upTo(50).map(String));
    await server.closedConnections(0);
  });
});

describe('clients that leave or do not read', () => {
  const WAYS = (['end', 'destroy', 'resetAndDestroy'] as const).flatMap(
    (way) => [`GET ${way}`, `POST ${way}`] as const,
  );

  test.each(WAYS)('%s: the subscription is released', async (methodAndWay) => {
    verifies('F125');
    const [method, way] = methodAndWay.split(' ') as ['GET' | 'POST', 'end' | 'destroy' | 'resetAndDestroy'];
    await using log = await openLog({ limits: { maxSubscribers: 1 } });
    await filled(log, 'a', 1);
    await using server = await startEventServer(log, { heartbeatMs: 1 });
    for (let round = 1; round <= 5; round += 1) {
      using client = await RawClient.connect(server.port);
      client.request(`${method} /a HTTP/1.1`, 'Host: x', 'Content-Length: 2');
      client.socket.write('{}');
      await client.until('replay_complete');
      client.socket[way]();
      await server.closedConnections(round);
    }
    using subscription = await log.attach('a');
    expect(subscription.cursor).toBe(0);
  });

  test('a client that stops reading is disconnected, with the reason if it still reads, and can resume', async () => {
    verifies('F122');
    await using log = await openLog({ limits: { maxLagBytes: 100_000, lagGraceMs: 0 } });
    await filled(log, 'a', 1);
    await using server = await startEventServer(log, { abandonAfterMs: 1 });
    using stuck = await RawClient.connect(server.port);
    stuck.get('/a');
    await stuck.until('replay_complete');
    stuck.socket.pause();
    const dropped = server.closedConnections(1);
    const lastSeq = 401;
    // 20 MB: the kernel buffers some of it before the server notices that the client does not read.
    for (let seq = 2; seq <= lastSeq; seq += 1) {
      await log.append('a', [{ type: 'count', data: JSON.stringify('x'.repeat(50_000)) }]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await dropped;
    stuck.socket.resume();
    await stuck.closed;
    const ids = [...stuck.received.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual(upTo(ids.length));
    expect(ids.length).toBeLessThan(lastSeq);
    // The last frame may be torn; the id before it is a safe place to come back to.
    const resumed = Math.max(0, ids.length - 1);
    using again = await RawClient.connect(server.port);
    again.get('/a', `Last-Event-ID: ${resumed}`);
    const text = await again.until('replay_complete');
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual(upTo(lastSeq, resumed + 1));
  });

  test('a client that reads again in time receives evicted', async () => {
    verifies('F122');
    await using log = await openLog({ limits: { maxLagBytes: 100_000, lagGraceMs: 0 } });
    await filled(log, 'a', 1);
    await using server = await startEventServer(log, { abandonAfterMs: 60_000 });
    using client = await RawClient.connect(server.port);
    client.get('/a', 'Connection: close');
    await client.until('replay_complete');
    client.socket.pause();
    using witness = await log.attach('a');
    await witness.take();
    for (let round = 0; round < 400; round += 1) {
      await log.append('a', [{ type: 'count', data: JSON.stringify('x'.repeat(50_000)) }]);
      await witness.take();
    }
    client.socket.resume();
    await client.closed;
    const ids = [...client.received.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    const evicted = { type: 'evicted', reason: 'too_slow', seq: ids.length };
    expect(ids).toEqual(upTo(ids.length));
    expect(client.received).toContain(`event: evicted\ndata: ${JSON.stringify(evicted)}\n\n`);
  });
});
