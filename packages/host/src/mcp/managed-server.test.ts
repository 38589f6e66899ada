import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { idleConnection } from '../../test/idle-connection.js';
import { namedTool } from '../../test/scripted-session.js';
import { ManagedServer } from './managed-server.js';
import type { McpConnection, McpConnector } from './mcp-connection.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const context = { callId: 'call_1', cwd: '/', signal: new AbortController().signal, emit: () => undefined };

/** A server that connects with `connect`, and its notices. */
function manage(connect: McpConnector['connect'], recall: McpConnector['recall'] = async () => undefined) {
  const notices: string[] = [];
  const server = new ManagedServer({
    name: 'weak',
    place: { kind: 'outside', definition: { origin: 'flag', config: { command: 'x', lazy: true } } },
    connector: { connect, recall },
    limits: () => ({ requestTimeoutMs: 1000, startTimeoutMs: 1000 }),
    onChanged: () => undefined,
    elicit: () => undefined,
    announce: ({ code }) => notices.push(code),
  });
  const call = () => server.tools[0]?.execute({}, context);
  return { server, notices, call };
}

/** A connection with one tool, and the way to end it. */
function mortal(execute = async () => ({ content: 'done' })) {
  const ended = Promise.withResolvers<AgentError | undefined>();
  const connection: McpConnection = {
    ...idleConnection('weak'),
    tools: [{ ...namedTool('mcp__weak__do'), execute }],
    ended: ended.promise,
  };
  return { connection, die: () => ended.resolve(new AgentError('mcp_failed', 'It died.')) };
}

test('a server that dies is reconnected after a delay, with two notices', async () => {
  verifies('F104');
  const first = mortal();
  const connections = [first.connection, mortal().connection];
  const { server, notices } = manage(async () => connections.shift() ?? idleConnection('weak'));
  await server.connect();
  first.die();
  await vi.advanceTimersByTimeAsync(0);
  expect([server.status, server.error]).toEqual(['disconnected', 'It died.']);
  await vi.advanceTimersByTimeAsync(1000);
  expect([server.status, server.error]).toEqual(['connected', undefined]);
  expect(notices).toEqual(['mcp_server_failed', 'mcp_server_connected']);
});

test('calls during the delay do not wait', async () => {
  verifies('F104');
  const first = mortal();
  const connections = [first.connection, mortal().connection];
  const { server, call } = manage(async () => connections.shift() ?? idleConnection('weak'));
  await server.connect();
  first.die();
  await vi.advanceTimersByTimeAsync(0);
  expect(await call()).toEqual({ content: 'done' });
});

test('a server that exits repeatedly is restarted a limited number of times per minute, then by the next call', async () => {
  verifies('F47');
  let starts = 0;
  const { server, notices, call } = manage(async () => {
    starts += 1;
    const { connection, die } = mortal();
    setImmediate(die);
    return connection;
  });
  await server.connect();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(starts).toBe(4);
  expect(server.error).toContain('too often');
  expect(notices.filter((code) => code === 'mcp_server_failed').length).toBeLessThanOrEqual(4);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await call()).toEqual({ content: 'done' });
  expect(starts).toBe(5);
});

test('a server that lost the session gets a new one and the call again', async () => {
  verifies('F114');
  const lost = new AgentError('mcp_failed', 'HTTP 404', { data: { sessionLost: true } });
  const closed: string[] = [];
  const forgetful = { ...mortal(() => Promise.reject(lost)).connection, close: async () => void closed.push('first') };
  const connections = [forgetful, mortal().connection];
  const { server, call } = manage(async () => connections.shift() ?? idleConnection('weak'));
  await server.connect();
  expect(await call()).toEqual({ content: 'done' });
  expect(closed).toEqual(['first']);
});

test('a second loss and other failures are reported, and no call is repeated', async () => {
  verifies('F114');
  let calls = 0;
  const failing = (data: object) =>
    mortal(() => {
      calls += 1;
      return Promise.reject(new AgentError('mcp_failed', 'no', { data: { ...data } }));
    }).connection;
  const forgetful = manage(async () => failing({ sessionLost: true }));
  await forgetful.server.connect();
  await expect(forgetful.call()).rejects.toMatchObject({ code: 'mcp_failed' });
  expect(calls).toBe(2);
  const broken = manage(async () => failing({ status: 500 }));
  await broken.server.connect();
  await expect(broken.call()).rejects.toMatchObject({ code: 'mcp_failed' });
  expect(calls).toBe(3);
});

test('a sign-in that completes before the refusal is not lost', async () => {
  verifies('GAP-43');
  const refusal = Promise.withResolvers<McpConnection>();
  const signIns: (() => void)[] = [];
  const attempts = [refusal.promise, Promise.resolve(mortal().connection)];
  const { server } = manage(async ({ onSignedIn }) => {
    signIns.push(onSignedIn);
    return attempts.shift() ?? idleConnection('weak');
  });
  void server.connect().catch(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  signIns[0]?.();
  refusal.reject(new AgentError('mcp_auth_required', 'sign in'));
  await vi.advanceTimersByTimeAsync(0);
  expect(server.status).toBe('connected');
});

test('a slow server starts with its first call; its tools are offered before', async () => {
  let starts = 0;
  const { server, call } = manage(
    async () => {
      starts += 1;
      return mortal().connection;
    },
    async () => mortal().connection.tools,
  );
  await server.start();
  expect([server.status, server.error, server.tools.length, starts]).toEqual(['disconnected', undefined, 1, 0]);
  expect(await call()).toEqual({ content: 'done' });
  expect([server.status, starts]).toEqual(['connected', 1]);
});

test('a tool that changed after its approval does not run', async () => {
  verifies('S94');
  const { connection } = mortal();
  const definition = { fingerprint: 'before', state: () => 'approved' as const, approve: () => undefined };
  const { server, call } = manage(
    async () => connection,
    async () => connection.tools.map((tool) => ({ ...tool, definition })),
  );
  await server.start();
  await expect(call()).rejects.toMatchObject({ code: 'permission_denied' });
  expect(await call()).toEqual({ content: 'done' });
});

test('a slow server with a new definition starts immediately', async () => {
  const { server } = manage(async () => mortal().connection);
  await server.start();
  expect(server.status).toBe('connected');
});

test('the end of a turn does not wait for a starting server', async () => {
  verifies('F105');
  const { server } = manage(
    () => new Promise(() => {}),
    async () => mortal().connection.tools,
  );
  await server.start();
  const abort = new AbortController();
  const run = server.tools[0]?.execute({}, { ...context, signal: abort.signal });
  abort.abort();
  await expect(run).rejects.toMatchObject({ code: 'aborted' });
});

test('a server disabled while it starts is closed once it is ready', async () => {
  verifies('T30');
  const late = Promise.withResolvers<McpConnection>();
  let closes = 0;
  const { server } = manage(() => late.promise);
  void server.connect().catch(() => undefined);
  const off = server.switchOff();
  late.resolve({ ...idleConnection('weak'), close: async () => void (closes += 1) });
  await off;
  expect([closes, server.status]).toEqual([1, 'disconnected']);
  await expect(server.connect()).rejects.toMatchObject({ code: 'mcp_failed' });
});

test('a server that is removed while it reconnects stays closed', async () => {
  const { server } = manage(async () => mortal().connection);
  await server.connect();
  const reconnected = server.reconnect();
  await server.remove();
  await expect(reconnected).rejects.toMatchObject({ code: 'mcp_failed' });
  expect(server.connection).toBeUndefined();
});
