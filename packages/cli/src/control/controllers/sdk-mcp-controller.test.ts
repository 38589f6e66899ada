import { serversOf } from '@qwen/host/config/mcp-servers.js';
import type { McpConnectOptions, McpConnector, McpSend } from '@qwen/host/mcp/mcp-connection.js';
import { idleConnection } from '@qwen/host/test/idle-connection.js';
import { namedTool } from '@qwen/host/test/scripted-session.js';
import type { JsonRpcMessage } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createControlFixture } from '../../../test/control-fixture.js';

afterEach(() => vi.useRealTimers());

type Connect = McpConnector['connect'];

const connectorOf = (connect: Connect): McpConnector => ({ connect, recall: () => Promise.resolve(undefined) });

/** Connects at once to everything, with one tool each; remembers what was asked. */
function connectAll() {
  const asked: McpConnectOptions[] = [];
  const delivered: JsonRpcMessage[] = [];
  const closed: string[] = [];
  const connect: Connect = async (options) => {
    asked.push(options);
    const { serverName } = options;
    return {
      ...idleConnection(serverName),
      tools: [namedTool(`mcp__${serverName}__tool`)],
      deliver: (message) => delivered.push(message),
      close: async () => {
        closed.push(serverName);
      },
    };
  };
  return { asked, delivered, closed, connect, mcpConnector: connectorOf(connect) };
}

/** What sends to a server in the app. */
function sendOf(options: McpConnectOptions | undefined): McpSend {
  if (options?.place.kind !== 'app') throw new Error('nobody connected to the app');
  return options.place.send;
}

test('servers from the start and from initialize, as map or list, are connected in order, once each', async () => {
  verifies('M-10', 'M-61', 'M-62', 'M-63', 'N-16', 'CF-45', 'GAP-44', 'GAP-42');
  const { asked, mcpConnector } = connectAll();
  const { app, service } = createControlFixture({ mcpConnector, mcpServers: { inApp: ['start'], outside: {} } });
  expect(service.mcp.listServers()).toEqual([{ name: 'start', status: 'connecting' }]);
  await app.request('initialize', { sdkMcpServers: { a: { type: 'sdk', name: 'a' } } });
  await app.request('initialize', { sdkMcpServers: ['a', 'b'] });
  await service.mcp.whenReady();
  const status = { start: 'connected', a: 'connected', b: 'connected' };
  expect(await app.request('mcp_server_status', {})).toEqual({
    subtype: 'mcp_server_status',
    status,
    servers: status,
    errors: {},
  });
  expect(service.mcp.tools.map(({ name }) => name)).toEqual(['mcp__start__tool', 'mcp__a__tool', 'mcp__b__tool']);
  expect(asked.map(({ serverName }) => serverName)).toEqual(['start', 'a', 'b']);
});

test('the client of a server is created on first use and closed with the service', async () => {
  verifies('N-15', 'M-66');
  const { asked, closed, mcpConnector } = connectAll();
  const { service } = createControlFixture({ mcpConnector, mcpServers: { inApp: ['a', 'b'], outside: {} } });
  const [first, second] = await Promise.all([service.mcp.getMcpClient('a'), service.mcp.getMcpClient('a')]);
  expect(first).toBe(second);
  await service.mcp.whenReady();
  expect(asked.map(({ serverName }) => serverName)).toEqual(['a', 'b']);
  await expect(service.mcp.getMcpClient('c')).rejects.toMatchObject({ code: 'invalid_payload' });
  await service.close();
  expect(closed).toEqual(['a', 'b']);
});

test('only allowed servers are used', async () => {
  const { mcpConnector } = connectAll();
  const { service } = createControlFixture({
    mcpConnector,
    allowedMcpServers: ['b'],
    mcpServers: { inApp: ['a', 'b'], outside: serversOf('flag', { c: { command: 'x' } }) },
  });
  expect(service.mcp.listServers().map(({ name }) => name)).toEqual(['b']);
});

test('a server that does not connect is reported with its reason, once, and the others work', async () => {
  verifies('FB15', 'GAP-44', 'F102');
  const { connect } = connectAll();
  const { app, service, notices } = createControlFixture({
    mcpConnector: connectorOf((options) =>
      options.serverName === 'broken' ? Promise.reject(new Error('no answer')) : connect(options),
    ),
    mcpServers: { inApp: ['broken', 'fine'], outside: {} },
  });
  await service.mcp.whenReady();
  await service.mcp.whenReady();
  expect(await app.request('mcp_server_status', {})).toMatchObject({
    status: { broken: 'disconnected', fine: 'connected' },
    errors: { broken: 'no answer' },
  });
  expect(await app.request('mcp_status', {})).toMatchObject({
    mcpServers: [
      { name: 'broken', status: 'disconnected', error: 'no answer' },
      { name: 'fine', status: 'connected' },
    ],
  });
  expect(notices).toEqual([
    { code: 'mcp_server_failed', message: 'The MCP server "broken" is not connected: no answer' },
  ]);
  await expect(service.mcp.getMcpClient('broken')).rejects.toMatchObject({ message: 'no answer' });
});

test('external servers are connected like the others, with their own limits', async () => {
  verifies('M-11', 'M-21', 'O-32', 'O-38');
  const { asked, mcpConnector } = connectAll();
  const { app, service } = createControlFixture({
    mcpConnector,
    mcpServers: { inApp: [], outside: serversOf('flag', { start: { command: 'x', timeout: 700 } }) },
  });
  await app.request('initialize', { mcpServers: { later: { url: 'http://127.0.0.1:1' } }, mcpStartTimeout: 900 });
  await service.mcp.whenReady();
  expect(asked).toMatchObject([
    { serverName: 'start', place: { definition: { origin: 'flag' } }, requestTimeoutMs: 700, startTimeoutMs: 700 },
    { serverName: 'later', place: { definition: { origin: 'app' } }, requestTimeoutMs: 60_000, startTimeoutMs: 900 },
  ]);
  expect(service.mcp.listServers()).toEqual([
    { name: 'start', status: 'connected' },
    { name: 'later', status: 'connected' },
  ]);
});

test.each([
  ['no longer than one MCP request may take', { timeout: { mcpRequest: 3_000 } }],
  ['no longer than the limit for the start', { mcpStartTimeout: 3_000 }],
])('the first turn waits for a server %s; it may still come later', async (_, payload) => {
  verifies('FB15', 'FB14', 'F103');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { connect } = connectAll();
  const slow = Promise.withResolvers<void>();
  const { app, service, happenings } = createControlFixture({
    mcpConnector: connectorOf(async (options) => {
      await slow.promise;
      return connect(options);
    }),
    mcpServers: { inApp: ['slow'], outside: {} },
  });
  await app.request('initialize', payload);
  let isReady = false;
  const ready = service.mcp.whenReady().then(() => {
    isReady = true;
  });
  await vi.advanceTimersByTimeAsync(2_999);
  expect(isReady).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await ready;
  expect([service.mcp.tools, happenings]).toEqual([[], []]);
  slow.resolve();
  await service.mcp.getMcpClient('slow');
  expect(happenings).toContain('tools changed');
  expect(service.mcp.tools).toHaveLength(1);
});

test('with `background` the first turn waits for no server', async () => {
  verifies('FB15');
  const { app, service } = createControlFixture({
    mcpConnector: connectorOf(() => new Promise(() => {})),
    mcpServers: { inApp: ['slow'], outside: {} },
  });
  await app.request('initialize', { mcpReady: 'background' });
  await service.mcp.whenReady();
  expect(service.mcp.listServers()).toEqual([{ name: 'slow', status: 'connecting' }]);
});

test('the app disables, enables and reconnects a server', async () => {
  const { asked, closed, mcpConnector } = connectAll();
  const { app, service } = createControlFixture({ mcpConnector, mcpServers: { inApp: ['a'], outside: {} } });
  await service.mcp.whenReady();
  await app.request('mcp_toggle', { serverName: 'a', enabled: false });
  expect([closed, service.mcp.tools, service.mcp.listServers()]).toEqual([
    ['a'],
    [],
    [{ name: 'a', status: 'disconnected' }],
  ]);
  await app.request('mcp_toggle', { serverName: 'a', enabled: true });
  await app.request('mcp_reconnect', { serverName: 'a' });
  expect(asked).toHaveLength(3);
  expect(service.mcp.tools).toHaveLength(1);
  await expect(app.request('mcp_reconnect', { serverName: 'x' })).rejects.toMatchObject({ code: 'invalid_payload' });
});

describe('messages', () => {
  const ping = { jsonrpc: '2.0', id: 0, method: 'ping' } as const;
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;

  async function connect(answer: object) {
    const { asked, delivered, mcpConnector } = connectAll();
    const seen: unknown[] = [];
    const fixture = createControlFixture({
      mcpConnector,
      mcpServers: { inApp: ['app'], outside: {} },
      app: {
        mcp_message: (payload) => {
          seen.push(payload);
          return answer;
        },
      },
    });
    await fixture.service.mcp.getMcpClient('app');
    return { ...fixture, send: sendOf(asked[0]), delivered, seen };
  }

  test('a message goes to its server and its answer comes back, also with id 0', async () => {
    verifies('M-64', 'M-65', 'M-67', 'J-11', 'T9');
    const answer = { jsonrpc: '2.0', id: 0, result: {} };
    const { send, seen } = await connect({ mcp_response: answer });
    expect(await send(ping)).toEqual(answer);
    expect(seen).toEqual([{ server_name: 'app', message: ping }]);
  });

  test('the answer to a notification is not mistaken for another one', async () => {
    verifies('GAP-45');
    const { send } = await connect({ mcp_response: { jsonrpc: '2.0', result: {}, id: 0 } });
    expect(await send(note)).toBeUndefined();
  });

  test('an error of the app rejects', async () => {
    verifies('M-65', 'M-68');
    for (const filler of [{}, { mcp_response: { jsonrpc: '2.0', result: {}, id: 0 } }]) {
      const { send } = await connect({ error: 'MCP servers are not supported', ...filler });
      await expect(send(ping)).rejects.toThrow('MCP servers are not supported');
    }
  });

  test("a server's message reaches its client; an unknown server is an error", async () => {
    verifies('M-67');
    const { app, delivered } = await connect({});
    expect(await app.request('mcp_notification', { server_name: 'app', message: note })).toBeNull();
    expect(delivered).toEqual([note]);
    await expect(app.request('mcp_notification', { server_name: 'x', message: note })).rejects.toMatchObject({
      code: 'invalid_payload',
    });
  });
});

test('only the client of the server limits the time of a call, not the channel', async () => {
  verifies('T10', 'FB14', 'O-34');
  vi.useFakeTimers();
  const { asked, mcpConnector } = connectAll();
  const answer = Promise.withResolvers<{ mcp_response: JsonRpcMessage }>();
  const { app, service } = createControlFixture({ mcpConnector, app: { mcp_message: () => answer.promise } });
  await app.request('initialize', { sdkMcpServers: ['a'], timeout: { mcpRequest: 90_000 } });
  await service.mcp.getMcpClient('a');
  expect(asked[0]?.requestTimeoutMs).toBe(90_000);
  const call = sendOf(asked[0])({ jsonrpc: '2.0', id: 0, method: 'tools/call' });
  await vi.advanceTimersByTimeAsync(3_600_000);
  answer.resolve({ mcp_response: { jsonrpc: '2.0', id: 0, result: 'slow' } });
  expect(await call).toEqual({ jsonrpc: '2.0', id: 0, result: 'slow' });
});

test("a server's question goes to an app that supports it, with the server's name; a failure declines", async () => {
  verifies('S97');
  const { asked, mcpConnector } = connectAll();
  const questions: unknown[] = [];
  const { app, service, notices } = createControlFixture({
    mcpConnector,
    app: {
      elicitation: (question) => {
        questions.push(question);
        if (questions.length > 1) throw new Error('no dialog');
        return { action: 'accept', content: { name: 'Ada' } };
      },
    },
  });
  await app.request('initialize', { mcpServers: { out: { command: 'x' } }, elicitation: true });
  await service.mcp.whenReady();
  const elicit = asked[0]?.elicit;
  const question = { message: 'Who?', requested_schema: { type: 'object' } };
  const { signal } = new AbortController();
  expect(await elicit?.(question, { signal })).toEqual({ action: 'accept', content: { name: 'Ada' } });
  expect(questions).toEqual([expect.objectContaining({ server_name: 'out', ...question })]);
  expect(await elicit?.(question, { signal })).toEqual({ action: 'decline' });
  expect(notices).toMatchObject([{ code: 'elicitation_failed', message: expect.stringContaining('"out"') }]);
});

test('servers may not ask if the app does not support it', async () => {
  verifies('S97');
  const { asked, mcpConnector } = connectAll();
  const { app, service } = createControlFixture({ mcpConnector });
  await app.request('initialize', { mcpServers: { out: { command: 'x' } } });
  await service.mcp.whenReady();
  expect(asked.map(({ elicit }) => elicit)).toEqual([undefined]);
});
