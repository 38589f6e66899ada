import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import * as z4 from 'zod';
import * as mini from 'zod/mini';
import * as z3 from 'zod3';
import { queryTo, resultOf } from '../../test/programs.js';
import { createSdkMcpServer, type McpServerConfig, tool } from '../index.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const HANDSHAKE = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'cli', version: '1' } },
};

const call = (id: number, name: string, args: object, meta?: object) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...(meta !== undefined && { _meta: meta }) },
});

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

/** The answers to these JSON-RPC messages, sent at once. */
async function exchange(
  mcpServers: Record<string, McpServerConfig>,
  messages: readonly object[],
): Promise<{ answers: unknown[]; notifications: unknown[] }> {
  const prompt = JSON.stringify(messages.map((message) => ({ jsonrpc: '2.0', ...message })));
  const conversation = queryTo('calls-mcp', { prompt, options: { mcpServers } });
  const result = await resultOf(conversation);
  const list = (name: string): unknown[] => {
    const value: unknown = Reflect.get(result, name);
    return Array.isArray(value) ? value : [];
  };
  return {
    answers: list('answers').map((answer) => (answer as { response?: unknown }).response ?? answer),
    notifications: list('notifications'),
  };
}

test('a server reports its instructions, and its tools their annotations', async () => {
  const annotations = { readOnlyHint: true, title: 'Clock' };
  const now = tool('now', 'Tells the time.', {}, () => text('noon'), {
    annotations,
    searchHint: 'time',
    alwaysLoad: true,
  });
  const local = createSdkMcpServer({ name: 'local', instructions: 'Ask once.', tools: [now], alwaysLoad: true });
  const { answers } = await exchange({ local }, [HANDSHAKE, { id: 1, method: 'tools/list' }]);
  expect(answers).toMatchObject([
    { mcp_response: { result: { instructions: 'Ask once.' } } },
    { mcp_response: { result: { tools: [{ name: 'now', annotations }] } } },
  ]);
});

test('a server with a member that would be ignored is refused', () => {
  const options = { name: 'local', timeout: 5 };
  const message = 'createSdkMcpServer: timeout is not supported; set timeout.mcpRequest of the query.';
  expect(() => createSdkMcpServer(options)).toThrow(expect.objectContaining({ code: 'invalid_options', message }));
});

test('an in-process server answers handshake, list and call; the id 0 works', async () => {
  verifies('O-31', 'T9', 'O-30');
  const local = createSdkMcpServer({
    name: 'local',
    tools: [tool('greet', 'Greets.', { who: z4.string().describe('Whom') }, ({ who }) => text(`hello ${who}`))],
  });
  const { answers } = await exchange({ local }, [
    HANDSHAKE,
    { method: 'notifications/initialized' },
    { id: 1, method: 'tools/list' },
    call(2, 'greet', { who: 'you' }),
  ]);
  expect(answers).toMatchObject([
    { error: null, mcp_response: { id: 0, result: { serverInfo: { name: 'local', version: '1.0.0' } } } },
    { error: null, mcp_response: { jsonrpc: '2.0', result: {}, id: 0 } },
    {
      mcp_response: {
        id: 1,
        result: {
          tools: [
            {
              name: 'greet',
              description: 'Greets.',
              inputSchema: {
                type: 'object',
                properties: { who: { type: 'string', description: 'Whom' } },
                required: ['who'],
              },
            },
          ],
        },
      },
    },
    { mcp_response: { id: 2, result: { content: [{ type: 'text', text: 'hello you' }] } } },
  ]);
});

test('annotations of a tool reach the client', async () => {
  const annotations = { title: 'Stock list', readOnlyHint: true, destructiveHint: false };
  const listStock = tool('list_stock', 'Lists.', {}, () => text('none'), { annotations, alwaysLoad: true });
  const local = createSdkMcpServer({ name: 'local', tools: [listStock, tool('plain', '', {}, () => text(''))] });
  const { answers } = await exchange({ local }, [HANDSHAKE, { id: 1, method: 'tools/list' }]);
  expect(answers[1]).toMatchObject({ mcp_response: { result: { tools: [{ annotations }, { name: 'plain' }] } } });
  expect(answers[1]).not.toHaveProperty('mcp_response.result.tools.1.annotations');
});

test.each([
  [{ annotation: {} }, 'annotation does not exist'],
  [{ annotations: { readonlyHint: true } }, 'annotations.readonlyHint does not exist'],
  [{ annotations: { readOnlyHint: 'yes' } }, 'annotations.readOnlyHint: expected boolean'],
])('refuses %j as the last argument of tool()', (extras, message) => {
  expect(() => tool('t', '', {}, () => text(''), extras as never)).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(message) }),
  );
});

test('supports zod 3, zod 4, zod/mini, JSON Schema and no schema', async () => {
  verifies('FB24');
  const shown = (args: unknown) => text(JSON.stringify(args));
  const jsonSchema = {
    type: 'object' as const,
    properties: { count: { type: 'integer', minimum: 1 } },
    required: ['count'],
    additionalProperties: false,
  };
  const local = createSdkMcpServer({
    name: 'local',
    tools: [
      tool('shape3', '', { count: z3.number().default(3) }, shown),
      tool('shape4', '', { count: z4.number().default(4) }, shown),
      tool('object3', '', z3.object({ count: z3.number() }), shown),
      tool('object4', '', z4.object({ count: z4.number() }), shown),
      tool('objectMini', '', mini.object({ count: mini.number() }), shown),
      tool('json', '', jsonSchema, shown),
      tool('nothing', '', {}, shown),
    ],
  });
  const { answers } = await exchange({ local }, [
    { id: 1, method: 'tools/list' },
    call(2, 'shape3', {}),
    call(3, 'shape4', {}),
    call(4, 'object3', { count: 'x' }),
    call(5, 'object4', { count: 'x' }),
    call(6, 'objectMini', { count: 'x' }),
    call(7, 'json', { count: 0 }),
    call(8, 'nothing', {}),
    call(9, 'json', { count: 2 }),
  ]);
  const [listed, ...called] = answers as { mcp_response: { result: Record<string, unknown> } }[];
  expect(listed?.mcp_response.result['tools']).toMatchObject([
    { inputSchema: { properties: { count: { type: 'number', default: 3 } } } },
    { inputSchema: { properties: { count: { type: 'number', default: 4 } } } },
    { inputSchema: { properties: { count: { type: 'number' } }, required: ['count'] } },
    { inputSchema: { properties: { count: { type: 'number' } }, required: ['count'] } },
    { inputSchema: { properties: { count: { type: 'number' } }, required: ['count'] } },
    { inputSchema: jsonSchema },
    { inputSchema: { type: 'object' } },
  ]);
  expect(called.map(({ mcp_response: { result } }) => result)).toMatchObject([
    text('{"count":3}'),
    text('{"count":4}'),
    { isError: true, content: [{ text: expect.stringMatching(/Invalid arguments.*count|count.*number|number/s) }] },
    { isError: true },
    { isError: true },
    { isError: true, content: [{ text: expect.stringContaining('count') }] },
    text('{}'),
    text('{"count":2}'),
  ]);
});

test('slow handlers overlap', async () => {
  verifies('F115');
  const bothHere = Promise.withResolvers<void>();
  let here = 0;
  const local = createSdkMcpServer({
    name: 'local',
    tools: [
      tool('meet', '', {}, async () => {
        here += 1;
        if (here === 2) bothHere.resolve();
        await bothHere.promise;
        return text('met');
      }),
    ],
  });
  const { answers } = await exchange({ local }, [call(1, 'meet', {}), call(2, 'meet', {})]);
  expect(answers).toMatchObject([{ mcp_response: { id: 1 } }, { mcp_response: { id: 2 } }]);
});

test('a handler that throws is a result that the model can read; an unknown tool is an error', async () => {
  verifies('F115');
  const local = createSdkMcpServer({
    name: 'local',
    tools: [
      tool('broken', '', {}, () => {
        throw new Error('out of coffee');
      }),
    ],
  });
  const { answers } = await exchange({ local }, [call(1, 'broken', {}), call(2, 'missing', {})]);
  expect(answers).toMatchObject([
    { mcp_response: { result: { isError: true, content: [{ text: 'out of coffee' }] } } },
    { mcp_response: { error: { code: -32602, message: expect.stringContaining('missing') } } },
  ]);
});

test('progress reaches the CLI before the answer', async () => {
  verifies('FB14', 'O-12');
  const local = createSdkMcpServer({
    name: 'local',
    tools: [
      tool('slow', '', {}, async (_args, { reportProgress }) => {
        await reportProgress({ progress: 1, total: 2, message: 'half' });
        return text('done');
      }),
    ],
  });
  const { notifications } = await exchange({ local }, [
    call(1, 'slow', {}, { progressToken: 'p' }),
    call(2, 'slow', {}),
  ]);
  expect(notifications).toEqual([
    {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 1, total: 2, message: 'half' },
    },
  ]);
});

test('hosts an McpServer of the app, also repeatedly', async () => {
  const server = new McpServer({ name: 'own', version: '2.0.0' });
  server.registerTool('ping', { inputSchema: { word: z4.string() } }, ({ word }) => text(word));
  const own: McpServerConfig = { type: 'sdk', name: 'own', instance: server };
  for (const word of ['first', 'second']) {
    const { answers } = await exchange({ local: own }, [call(1, 'ping', { word })]);
    expect(answers).toMatchObject([{ mcp_response: { result: { content: [{ text: word }] } } }]);
  }
});

test('one server serves two queries at once', async () => {
  verifies('F117', 'O-33');
  const local = createSdkMcpServer({
    name: 'local',
    tools: [tool('echo', '', { word: z4.string() }, ({ word }) => text(word))],
  });
  const both = await Promise.all(['a', 'b'].map((word) => exchange({ local }, [call(1, 'echo', { word })])));
  expect(both.map(({ answers }) => answers)).toMatchObject([
    [{ mcp_response: { result: { content: [{ text: 'a' }] } } }],
    [{ mcp_response: { result: { content: [{ text: 'b' }] } } }],
  ]);
});

test('an unknown server and one that cannot be connected answer with an error text', async () => {
  verifies('F102');
  const broken: McpServerConfig = {
    type: 'sdk',
    name: 'local',
    instance: { connect: () => Promise.reject(new Error('no room')), close: () => Promise.resolve() },
  };
  const { answers } = await exchange({ local: broken }, [call(1, 'x', {}), { ...call(2, 'x', {}), server: 'nowhere' }]);
  expect(answers).toMatchObject([
    { error: expect.stringContaining('no room'), mcp_response: null },
    { error: expect.stringContaining('nowhere'), mcp_response: null },
  ]);
});
