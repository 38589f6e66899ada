import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { toolOf } from '../../../test/faulty-server.js';
import { runToolForText } from '../../../test/run-tool.js';
import { connectMcpServer } from '../client.js';
import { createTransport } from './create-transport.js';

/** What a server answers to each request; `tools/call` is answered with nothing when it should die. */
function answerTo(line: string): string | undefined {
  const { id, method, params } = Object(JSON.parse(line));
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
    },
    'tools/list': { tools: [{ name: 'do', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'done' }] },
  };
  return id === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', id, result: results[method] });
}

async function listen(onConnection: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a server on a TCP port sends one message per line; its end is reported', async () => {
  verifies('O-37');
  await using server = await listen((socket) => {
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) socket.write(`${answerTo(line) ?? 'no message'}\n`);
    });
  });
  const notices: string[] = [];
  const transport = await createTransport({
    endpoint: { kind: 'tcp', host: '127.0.0.1', port: server.port },
    cwd: '/',
    environment: {},
    onNoise: () => notices.push('noise'),
  });
  const connection = await connectMcpServer({ serverName: 'tcp', transport });
  expect(await runToolForText(toolOf(connection, 'do'), {}, { cwd: '/' })).toBe('done');
  expect(notices).toEqual(['noise']);
  server.sockets[0]?.destroy();
  expect(await connection.ended).toMatchObject({ code: 'mcp_failed' });
});

test('a server on a WebSocket gets headers and the protocol name; its end is reported', async () => {
  verifies('O-37');
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const asked: unknown[] = [];
  server.on('connection', (socket, { headers }) => {
    asked.push(headers['x-key'], socket.protocol);
    socket.on('message', (data) => {
      const answer = data instanceof Buffer ? answerTo(data.toString('utf8')) : undefined;
      if (answer !== undefined) socket.send(answer);
    });
  });
  const { port } = Object(server.address());
  const url = new URL(`ws://127.0.0.1:${port}/`);
  const endpoint = { kind: 'websocket', url, headers: { 'x-key': 'k' } } as const;
  const transport = await createTransport({ endpoint, cwd: '/', environment: {} });
  const connection = await connectMcpServer({ serverName: 'ws', transport });
  expect(await runToolForText(toolOf(connection, 'do'), {}, { cwd: '/' })).toBe('done');
  expect(asked).toEqual(['k', 'mcp']);
  for (const socket of server.clients) socket.terminate();
  expect(await connection.ended).toMatchObject({ code: 'mcp_failed' });
  server.close();
});

test.each(['tcp', 'websocket'] as const)('a refused connection is an error with the address (%s)', async (kind) => {
  verifies('F102');
  const server = await listen(() => undefined);
  const { port } = server;
  await server[Symbol.asyncDispose]();
  const endpoint =
    kind === 'tcp' ? { kind, host: '127.0.0.1', port } : { kind, url: new URL(`ws://127.0.0.1:${port}/`), headers: {} };
  const transport = await createTransport({ endpoint, cwd: '/', environment: {} });
  await expect(connectMcpServer({ serverName: 'x', transport })).rejects.toMatchObject({
    code: 'mcp_failed',
    message: expect.stringContaining(`127.0.0.1:${port}`),
  });
});
