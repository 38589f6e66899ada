import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { toolOf } from '../../../test/faulty-server.js';
import { runTool } from '../../../test/run-tool.js';
import type { McpConnection } from '../client.js';
import { connectMcpServer } from '../client.js';
import { createTransport } from './create-transport.js';

interface Call {
  readonly id: number;
  readonly response: ServerResponse;
  readonly request: IncomingMessage;
}

interface Fixture extends AsyncDisposable {
  readonly connection: McpConnection;
  /** Methods that came in, with the HTTP verb where it is not POST. */
  readonly seen: readonly string[];
}

/** A server that is right in everything but its answer to `tools/call` and to GET. */
async function openFixture(onCall: (call: Call) => void, onGet?: (call: Omit<Call, 'id'>) => void): Promise<Fixture> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => answer(text, request, response));
  });
  const answer = (text: string, request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST') {
      seen.push(request.method ?? '');
      if (request.method === 'GET' && onGet !== undefined) onGet({ request, response });
      else response.writeHead(405).end();
      return;
    }
    const { id, method, params } = Object(JSON.parse(text));
    seen.push(method);
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      },
      'tools/list': { tools: [{ name: 'do', inputSchema: { type: 'object' } }] },
    };
    const result = results[method];
    if (method === 'server/discover') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown method' } }));
    } else if (result === undefined) onCall({ id, response, request });
    else {
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const endpoint = { kind: 'http', url: new URL(`http://127.0.0.1:${port}/mcp`), headers: { 'x-key': 'k' } } as const;
  const transport = await createTransport({ endpoint, cwd: '/', environment: {} });
  const connection = await connectMcpServer({ serverName: 'web', transport, requestTimeoutMs: 10_000 });
  return {
    connection,
    seen,
    async [Symbol.asyncDispose]() {
      await connection.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const run = ({ connection }: Fixture) => runTool(toolOf(connection, 'do'), {}, { cwd: '/' });
const callsOf = ({ seen }: Fixture) => seen.filter((method) => method === 'tools/call').length;
const STREAM = { 'content-type': 'text/event-stream' };
const event = (value: object, id?: string) => `${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(value)}\n\n`;
const result = (id: number, text: string) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

test('headers are sent, and the session is ended at the server', async () => {
  verifies('O-37');
  const keys: unknown[] = [];
  const fixture = await openFixture(({ id, request, response }) => {
    keys.push(request.headers['x-key'], request.headers['mcp-session-id']);
    response.writeHead(200, STREAM).end(event(result(id, 'done')));
  });
  expect(await run(fixture)).toMatchObject({ content: 'done' });
  expect(keys).toEqual(['k', 'one']);
  await fixture[Symbol.asyncDispose]();
  expect(fixture.seen).toContain('DELETE');
});

test('a stream that breaks without IDs fails the call immediately, which is sent once', async () => {
  verifies('F114');
  await using fixture = await openFixture(({ response }) => {
    response.writeHead(200, STREAM).write(': here\n\n');
    setImmediate(() => response.destroy());
  });
  await expect(run(fixture)).rejects.toMatchObject({
    code: 'mcp_failed',
    message: expect.stringContaining('was lost before the response'),
  });
  expect(callsOf(fixture)).toBe(1);
});

test('a stream that ends without its answer fails the call too', async () => {
  verifies('F114');
  await using fixture = await openFixture(({ response }) => response.writeHead(200, STREAM).end());
  await expect(run(fixture)).rejects.toMatchObject({ code: 'mcp_failed' });
  expect(callsOf(fixture)).toBe(1);
});

test('a stream that breaks after an ID is resumed there, and the call is sent once', async () => {
  verifies('F114');
  let callId = 0;
  const resumedAt = Promise.withResolvers<unknown>();
  await using fixture = await openFixture(
    ({ id, response }) => {
      callId = id;
      response.writeHead(200, STREAM).write('id: 7\ndata: \n\n');
      setImmediate(() => response.destroy());
    },
    ({ request, response }) => {
      const last = request.headers['last-event-id'];
      response.writeHead(200, STREAM);
      if (last === undefined) {
        response.write(': nothing yet\n\n');
        return;
      }
      resumedAt.resolve(last);
      response.end(event(result(callId, 'late'), '8'));
    },
  );
  expect(await run(fixture)).toMatchObject({ content: 'late' });
  expect(await resumedAt.promise).toBe('7');
  expect(callsOf(fixture)).toBe(1);
});

test.each([
  [404, { sessionLost: true }],
  [500, { status: 500 }],
  [503, { status: 503 }],
])('HTTP %d fails the call with a code, and text of the server adds no lines', async (status, data) => {
  verifies('F114', 'S105');
  await using fixture = await openFixture(({ response }) =>
    response.writeHead(status).end('bad\nFAKE LOG LINE\u001b[2J'),
  );
  const failure: unknown = await run(fixture).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'mcp_failed', data });
  expect(String(failure)).not.toMatch(/[\n\u001b]/);
  expect(String(failure)).toContain(`HTTP ${status}`);
  expect(callsOf(fixture)).toBe(1);
});

test.each(['null', '{"jsonrpc":', '{"jsonrpc":"2.0","id":7}'])(
  'the answer %s fails the call in plain words',
  async (body) => {
    await using fixture = await openFixture(({ response }) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );
    const message = 'mcp__web__do: The server sent an invalid answer.';
    await expect(run(fixture)).rejects.toMatchObject({ code: 'mcp_failed', message });
  },
);

test('a redirect to another host is not followed', async () => {
  verifies('S104');
  await using fixture = await openFixture(({ response }) => {
    response.writeHead(307, { location: 'http://localhost:1/elsewhere' }).end();
  });
  await expect(run(fixture)).rejects.toMatchObject({ code: 'mcp_failed' });
});

test.each([
  ['an answer', 'application/json', '"'],
  ['an event', 'text/event-stream', 'data: "'],
])('%s that never ends is cut', async (_, type, start) => {
  verifies('F107');
  const block = 'x'.repeat(1024 * 1024);
  await using fixture = await openFixture(({ response }) => {
    response.writeHead(200, { 'content-type': type }).write(start);
    const more = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', more);
    more();
  });
  await expect(run(fixture)).rejects.toMatchObject({ code: 'mcp_failed' });
});

test.each([
  ['http', 'set its "type" to "sse"'],
  ['sse', 'set its "type" to "http"'],
] as const)('a server that refuses %s may expect the other transport', async (kind, advice) => {
  const server = createServer((_request, response) => response.writeHead(405).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${Object(server.address()).port}/mcp`);
  const transport = await createTransport({ endpoint: { kind, url, headers: {} }, cwd: '/', environment: {} });
  const refused = connectMcpServer({ serverName: 'web', transport });
  await expect(refused).rejects.toMatchObject({ code: 'mcp_failed', message: expect.stringContaining(advice) });
  await new Promise((resolve) => server.close(resolve));
});
