import { randomUUID } from 'node:crypto';
import { REMOTE_PATH } from '@qwen/protocol/server';
import { HttpTransport } from '@qwen/sdk';
import { resourceBaseline, startByteServer, temporaryFolder, verifies, waitUntilGone } from '@qwen/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { openRemoteFixture, RemoteCli } from '../../test/remote-fixture.js';
import { startTearingProxy } from '../../test/tearing-proxy.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const never = () => undefined;
const starts = (options: { url: string; cwd?: string; args?: readonly string[] }) =>
  new HttpTransport({ args: [], ...options }).start(never);

describe('starting', () => {
  test('reports a missing folder, a missing program and a foreign flag', async () => {
    verifies('F44');
    await using fixture = await openRemoteFixture();
    await expect(starts({ url: fixture.url, cwd: 'not/there' })).rejects.toMatchObject({ code: 'cwd_missing' });
    for (const flag of ['mcp', '--prompt=x', '-p', '--api-key=secret', '--modelx', '']) {
      await expect(starts({ url: fixture.url, args: [flag] })).rejects.toMatchObject({ code: 'invalid_payload' });
    }
    expect(fixture.registry.count).toBe(0);
    await using other = await openRemoteFixture({ launch: { pathToQwenExecutable: '/no/such/program' } });
    await expect(starts({ url: other.url })).rejects.toMatchObject({ code: 'cli_not_found' });
    expect(other.registry.count).toBe(0);
  });

  test('flags and folder arrive; credentials of the server do not', async () => {
    await using folder = await temporaryFolder();
    await folder.write('in/a.txt', '');
    process.env['QWEN_SERVER_TOKEN'] = 'secret';
    try {
      await using fixture = await openRemoteFixture({ workspaceRoot: folder.path });
      await using cli = await new RemoteCli({ url: fixture.url, cwd: 'in', args: ['--model=m', '--continue'] }).start();
      const who = await cli.who();
      expect(who).toMatchObject({ cwd: folder.resolve('in'), args: ['--model=m', '--continue'] });
      expect(who.env).not.toHaveProperty('QWEN_SERVER_TOKEN');
    } finally {
      delete process.env['QWEN_SERVER_TOKEN'];
    }
  });

  test('reports a missing server and a foreign server at the address', async () => {
    const refused = starts({ url: 'http://127.0.0.1:1' });
    await expect(refused).rejects.toMatchObject({ code: 'server_unreachable', retryable: true });
    await using page = await startByteServer([{ chunks: ['<html>hello</html>'] }]);
    await expect(starts({ url: page.url })).rejects.toMatchObject({ code: 'unsupported_protocol' });
  });

  test('limits the number of CLIs', async () => {
    await using fixture = await openRemoteFixture({ maxAgents: 1 });
    await using first = await new RemoteCli({ url: fixture.url }).start();
    await expect(starts({ url: fixture.url })).rejects.toMatchObject({ code: 'overloaded' });
    await first.finish();
    await using second = await new RemoteCli({ url: fixture.url }).start();
    await second.finish();
  });
});

describe('ends', () => {
  test('of the CLI: its code, its signal and its last output arrive', async () => {
    verifies('F38', 'F46');
    await using fixture = await openRemoteFixture();
    await using leaves = await new RemoteCli({ url: fixture.url }).start();
    await leaves.say('last line', 'exit 3');
    const exit = { exitCode: 3, signal: null, stderrTail: 'it was told to go' };
    expect(await leaves.transport.closed).toEqual(exit);
    expect(leaves.texts).toEqual(['last line']);
    await using dies = await new RemoteCli({ url: fixture.url }).start();
    await dies.say('die');
    expect(await dies.transport.closed).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    await expect(dies.transport.send('x\n')).rejects.toMatchObject({ code: 'channel_closed' });
  });

  test('of a client without notice: the CLI ends after the grace period', async () => {
    verifies('F123');
    await using fixture = await openRemoteFixture({ graceMs: 300 });
    await using proxy = await startTearingProxy(fixture.port, never);
    await using cli = await new RemoteCli({ url: proxy.url }).start();
    const { pid } = await cli.who();
    await proxy.close();
    await waitUntilGone(pid);
    await expect.poll(() => fixture.registry.count).toBe(0);
    expect(await cli.transport.closed).toMatchObject({ error: { code: 'server_unreachable' } });
  });

  test('of a client that starts a CLI and never returns', async () => {
    await using fixture = await openRemoteFixture({ graceMs: 50 });
    const started = await fetch(`${fixture.url}${REMOTE_PATH}/${randomUUID()}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ arguments: [] }),
    });
    expect(await started.json()).toMatchObject({ grace_ms: 50 });
    await expect.poll(() => fixture.registry.count).toBe(0);
  });

  test('a silent client that is connected keeps its CLI', async () => {
    await using fixture = await openRemoteFixture({ graceMs: 500, heartbeatMs: 25 });
    await using cli = await new RemoteCli({ url: fixture.url }).start();
    const { pid } = await cli.who();
    // The client answers each heartbeat; 100 of them take five grace periods.
    await expect.poll(() => fixture.receipts(), { timeout: 20_000 }).toBeGreaterThan(100);
    await cli.say('still here');
    await cli.line((text) => text === 'still here');
    expect((await cli.who()).pid).toBe(pid);
  });

  test('of the server: clients receive the exits of their CLIs, and nothing new starts', async () => {
    await using fixture = await openRemoteFixture();
    await using cli = await new RemoteCli({ url: fixture.url }).start();
    const { pid } = await cli.who();
    await fixture.registry.close({ graceMs: 5_000 });
    expect(await cli.transport.closed).toMatchObject({ exitCode: 0 });
    await waitUntilGone(pid);
    await expect(starts({ url: fixture.url })).rejects.toMatchObject({ code: 'shutting_down' });
  });

  test('of a restarted server without the CLI: a typed error', async () => {
    const first = await openRemoteFixture();
    let { port } = first;
    await using proxy = await startTearingProxy(() => port, never);
    await using cli = await new RemoteCli({ url: proxy.url }).start();
    await cli.who();
    await using second = await openRemoteFixture();
    port = second.port;
    await first.server[Symbol.asyncDispose]();
    expect(await cli.transport.closed).toMatchObject({ error: { code: 'process_exited' } });
    await first[Symbol.asyncDispose]();
  });

  test('close ends a working CLI, immediately if requested', async () => {
    verifies('F39');
    await using fixture = await openRemoteFixture({ windowBytes: 64 * 1024 });
    await using cli = await new RemoteCli({ url: fixture.url }).start();
    const { pid } = await cli.who();
    await cli.say('flood 1000000');
    await cli.line((text) => text.startsWith('100.'));
    await cli.transport.close({ graceMs: 0 });
    expect(await cli.transport.closed).toMatchObject({ signal: 'SIGKILL' });
    await waitUntilGone(pid);
  });
});
