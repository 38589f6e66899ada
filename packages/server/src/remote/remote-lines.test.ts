import { resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { openRemoteFixture, RemoteCli } from '../../test/remote-fixture.js';
import { startTearingProxy } from '../../test/tearing-proxy.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const numbered = (count: number, length = 0): string[] =>
  Array.from({ length: count }, (_, index) => `line ${index + 1} `.padEnd(length, '.'));

describe('the contract of every transport', () => {
  test('carries lines in order, both ways, and exits when its input ends', async () => {
    verifies('O-25');
    await using fixture = await openRemoteFixture();
    await using cli = await new RemoteCli({ url: fixture.url }).start();
    const lines = numbered(500);
    await cli.say(...lines);
    expect(await cli.finish()).toEqual({ exitCode: 0, signal: null, stderrTail: '' });
    expect(cli.texts).toEqual(lines);
    expect(fixture.registry.count).toBe(0);
  });

  test('rejects lines after its end, closes idempotently, and reports one exit status', async () => {
    await using fixture = await openRemoteFixture();
    await using cli = await new RemoteCli({ url: fixture.url }).start();
    const { pid } = await cli.who();
    expect(pid).toBeGreaterThan(0);
    await Promise.all([cli.transport.close({ graceMs: 1_000 }), cli.transport.close()]);
    await cli.transport.close();
    await expect(cli.transport.send('too late\n')).rejects.toMatchObject({ code: 'channel_closed' });
    expect(await cli.transport.closed).toBe(await cli.transport.closed);
    expect(() => cli.transport.endInput()).not.toThrow();
  });

  test('can be closed before it is started', async () => {
    const cli = new RemoteCli({ url: 'http://127.0.0.1:1' });
    await cli.transport.close();
    expect(await cli.transport.closed).toMatchObject({ exitCode: null, signal: null });
  });

  test('emits no line inside send, and lines sent while it starts wait', async () => {
    verifies('T2');
    await using fixture = await openRemoteFixture();
    await using cli = new RemoteCli({ url: fixture.url });
    const starting = cli.start();
    const sent = cli.say('early');
    expect(cli.texts).toEqual([]);
    await Promise.all([starting, sent]);
    await cli.finish();
    expect(cli.texts).toEqual(['early']);
  });
});

describe('contents of lines', () => {
  test('separators, control characters and megabytes arrive unchanged', async () => {
    verifies('F5', 'F136', 'F14');
    await using fixture = await openRemoteFixture();
    await using cli = await new RemoteCli({ url: fixture.url }).start();
    const lines = [
      'a\u2028b\u2029c\u0085d',
      'data: {}',
      ': comment',
      'id: 7',
      '  indented',
      '☃ \x01\x1b\x7f "\\',
      'é'.repeat(1_000_000),
    ];
    await cli.say(...lines);
    await cli.finish();
    expect(cli.texts).toEqual(lines);
  });

  test('a raw CR becomes a space; a line over the limit is reported and skipped', async () => {
    verifies('F15', 'F6');
    await using fixture = await openRemoteFixture();
    await using cli = await new RemoteCli({ url: fixture.url, maxLineBytes: 1_000 }).start();
    await cli.say('noise', 'long 5000', 'fine');
    await cli.finish();
    expect(cli.lines).toMatchObject([
      { ok: true, text: 'no JSON   and \u2028 raw' },
      { ok: false, error: { code: 'line_too_long' } },
      { ok: true, text: 'fine' },
    ]);
  });
});

describe('connections that break', () => {
  /** Torn somewhere in its first 3,000 bytes: in a request, in a head, in a line, between two events. The first starts it. */
  const tornAt = (step: number) => (connection: number) =>
    connection > 1 && connection <= 50 ? (connection * step) % 3001 : undefined;

  test.each([617, 1013, 1871])(
    'anywhere (%d), in requests and in answers: no line is lost or doubled',
    async (step) => {
      verifies('F118', 'F129');
      await using fixture = await openRemoteFixture();
      await using proxy = await startTearingProxy(fixture.port, tornAt(step));
      await using cli = await new RemoteCli({ url: proxy.url }).start();
      const lines = numbered(60, 100);
      // One after the other, so that many requests and many events are under way.
      for (const line of lines) {
        await cli.say(line);
        await cli.line((text) => text === line);
      }
      expect(await cli.finish()).toMatchObject({ exitCode: 0 });
      expect(cli.texts).toEqual(lines);
      expect(proxy.connections).toBeGreaterThan(20);
    },
  );

  test('a flood over breaking connections arrives once, in order', async () => {
    verifies('F118');
    await using fixture = await openRemoteFixture({ windowBytes: 64 * 1024 });
    await using proxy = await startTearingProxy(fixture.port, (connection) =>
      connection < 30 ? 20_000 + connection * 1_111 : undefined,
    );
    await using cli = await new RemoteCli({ url: proxy.url }).start();
    await cli.say('flood 2000');
    await cli.line((text) => text.startsWith('2000.'));
    await cli.finish();
    expect(cli.texts.map((text) => Number.parseInt(text, 10))).toEqual(Array.from({ length: 2000 }, (_, i) => i + 1));
    expect(proxy.connections).toBeGreaterThan(30);
  });
});

describe('limits', () => {
  test('both sides may write more than either reads without a deadlock', async () => {
    verifies('F30');
    await using fixture = await openRemoteFixture({ windowBytes: 64 * 1024 });
    await using cli = await new RemoteCli({ url: fixture.url }).start();
    const lines = numbered(400, 10_000);
    await cli.say(...lines);
    await cli.finish();
    expect(cli.texts.length).toBe(lines.length);
    expect(cli.texts).toEqual(lines);
  });
});
