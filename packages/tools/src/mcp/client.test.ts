import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { JsonRpcMessage } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { InAppServerTransport } from '../../test/in-app-server.js';
import { previewOf, runTool } from '../../test/run-tool.js';
import { connectInAppMcpServer, type InAppMcpServerOptions } from './client.js';

/** Connects to a real server; `tool` finds one of its tools by the server's name of it. */
async function connect(server: McpServer, options: Partial<InAppMcpServerOptions> = {}) {
  const app = new InAppServerTransport();
  await server.connect(app);
  const connection = await connectInAppMcpServer({ serverName: 'app', send: app.bridge, ...options });
  app.onUnasked = (message) => connection.deliver(message);
  const tool = (name: string) => {
    const found = connection.tools.find((one) => one.name === `mcp__app__${name}`);
    if (found === undefined) throw new Error(`no tool ${name}`);
    return found;
  };
  return { app, connection, tool, [Symbol.asyncDispose]: () => connection.close() };
}

const newServer = () => new McpServer({ name: 'test', version: '1' });
const context = { cwd: '/' };

test('tools of a server in the app are listed and called', async () => {
  verifies('O-31', 'M-66');
  const server = newServer();
  server.registerTool('add', { description: 'Adds.', inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }));
  await using host = await connect(server);
  expect(host.connection.tools.map(({ name, description, kind }) => ({ name, description, kind }))).toEqual([
    { name: 'mcp__app__add', description: 'Adds.', kind: 'other' },
  ]);
  expect(host.tool('add').inputSchema).toMatchObject({ type: 'object', required: ['a', 'b'] });
  expect(await runTool(host.tool('add'), { a: 1, b: 2 }, context)).toEqual({ content: '3', isError: false });
});

test('a question about a call shows the original names of server and tool', async () => {
  verifies('D-29');
  const server = newServer();
  const answer = () => ({ content: [] });
  server.registerTool('titled', { title: ' Sends\u200b mail ' }, answer);
  server.registerTool('annotated', { annotations: { title: 'Looks' } }, answer);
  server.registerTool('plain', {}, answer);
  await using host = await connect(server);
  const shown = (name: string) => previewOf(host.tool(name), {}, context);
  expect(await shown('titled')).toEqual({ type: 'mcp', server: 'app', tool: 'titled', displayName: 'Sends mail' });
  expect(await shown('annotated')).toMatchObject({ displayName: 'Looks' });
  expect(await shown('plain')).toMatchObject({ displayName: 'plain' });
});

test('a server validates its own input', async () => {
  verifies('M-66');
  const server = newServer();
  server.registerTool('add', { inputSchema: { a: z.number() } }, () => ({ content: [] }));
  await using host = await connect(server);
  expect(await runTool(host.tool('add'), { a: 'x' }, context)).toMatchObject({ isError: true });
  expect(() => host.tool('add').parse('x')).toThrow(expect.objectContaining({ code: 'invalid_tool_input' }));
});

test('a handler that throws returns an error result', async () => {
  verifies('F115');
  const server = newServer();
  server.registerTool('fail', {}, () => {
    throw new Error('broken inside');
  });
  await using host = await connect(server);
  expect(await runTool(host.tool('fail'), {}, context)).toEqual({ content: 'broken inside', isError: true });
});

test('a handler that never returns ends at the limit of the call, and the server is notified', async () => {
  verifies('F115', 'FB14');
  const server = newServer();
  const notified = Promise.withResolvers<void>();
  server.registerTool('hang', {}, ({ signal }) => {
    signal.addEventListener('abort', () => notified.resolve());
    return new Promise(() => {});
  });
  await using host = await connect(server, { requestTimeoutMs: 100 });
  await expect(runTool(host.tool('hang'), {}, context)).rejects.toMatchObject({ code: 'timeout' });
  await notified.promise;
});

test('progress restarts the limit and is shown immediately', async () => {
  verifies('FB14');
  const server = newServer();
  const shown: string[] = [];
  const notes = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  server.registerTool('slow', {}, async ({ sendNotification, _meta }) => {
    const progressToken = _meta?.progressToken ?? 0;
    for (const [index, note] of notes.entries()) {
      vi.advanceTimersByTime(900);
      const params = { progressToken, progress: index + 1, total: notes.length };
      await sendNotification({ method: 'notifications/progress', params });
      await note.promise;
    }
    return { content: [{ type: 'text', text: 'done' }] };
  });
  await using host = await connect(server, { requestTimeoutMs: 1000 });
  const emit = (text: string) => notes[shown.push(text) - 1]?.resolve();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const result = await runTool(host.tool('slow'), {}, { ...context, emit }).finally(() => vi.useRealTimers());
  expect(result.content).toBe('done');
  expect(shown).toEqual(['1/5\n', '2/5\n', '3/5\n', '4/5\n', '5/5\n']);
});

test('the end of the turn cancels the call at the server, and a late answer changes nothing', async () => {
  verifies('F115');
  const server = newServer();
  const started = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  server.registerTool('hang', {}, async ({ signal }) => {
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    started.resolve();
    await aborted;
    cancelled.resolve();
    return { content: [{ type: 'text', text: 'too late' }] };
  });
  await using host = await connect(server);
  const abort = new AbortController();
  const run = runTool(host.tool('hang'), {}, { ...context, signal: abort.signal });
  await started.promise;
  abort.abort();
  await expect(run).rejects.toMatchObject({ code: 'aborted' });
  await cancelled.promise;
  host.connection.deliver({ jsonrpc: '2.0', id: 99, result: {} });
  await server.server.ping();
});

test('the end of a turn does not cancel finished calls', async () => {
  const server = newServer();
  server.registerTool('ok', {}, () => ({ content: [] }));
  await using host = await connect(server);
  const abort = new AbortController();
  await runTool(host.tool('ok'), {}, { ...context, signal: abort.signal });
  abort.abort();
  expect(host.app.received.map(({ method }) => method)).not.toContain('notifications/cancelled');
});

test('slow calls run concurrently', async () => {
  verifies('F115');
  const server = newServer();
  let running = 0;
  const both = Promise.withResolvers<void>();
  server.registerTool('meet', {}, async () => {
    running += 1;
    if (running === 2) both.resolve();
    await both.promise;
    return { content: [] };
  });
  await using host = await connect(server);
  const runs = [1, 2].map(() => runTool(host.tool('meet'), {}, context));
  expect(await Promise.all(runs)).toHaveLength(2);
});

test("structured output that violates the tool's schema is an error", async () => {
  verifies('F112');
  const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const answers: Record<string, unknown> = { good: { n: 1 }, bad: { n: 'x' }, missing: undefined };
  const send = fakeServer(
    Object.keys(answers).map((name) => ({ name, inputSchema: { type: 'object' }, outputSchema })),
    (name) => ({ structuredContent: answers[name] }),
  );
  const connection = await connectInAppMcpServer({ serverName: 'app', send });
  const run = async (name: string) => {
    const tool = connection.tools.find((one) => one.name.endsWith(name));
    return tool && runTool(tool, {}, context);
  };
  expect(await run('good')).toEqual({ content: '{"n":1}', isError: false });
  await expect(run('bad')).rejects.toMatchObject({ code: 'mcp_failed' });
  await expect(run('missing')).rejects.toMatchObject({ code: 'mcp_failed' });
});

test('an invalid tool description does not affect the others, and an endless list is cut', async () => {
  verifies('F112');
  let page = 0;
  const send = fakeServer(
    [{ name: 'ok', inputSchema: { type: 'object' } }, { name: 5 }, null],
    () => ({}),
    () => {
      page += 1;
      return `cursor ${page}`;
    },
  );
  const connection = await connectInAppMcpServer({ serverName: 'app', send });
  expect(connection.tools.length).toBeGreaterThan(0);
  expect(connection.tools.length).toBeLessThanOrEqual(1000);
  expect(page).toBeLessThanOrEqual(50);
});

test('hints that a tool is read-only are not trusted', async () => {
  verifies('S95');
  const server = newServer();
  server.registerTool('wipe', { annotations: { readOnlyHint: true, destructiveHint: false } }, () => ({ content: [] }));
  await using host = await connect(server);
  expect(host.tool('wipe').kind).toBe('other');
});

test('requests for sampling, elicitation or roots are rejected', async () => {
  verifies('S97');
  await using host = await connect(newServer());
  for (const [id, method] of ['sampling/createMessage', 'elicitation/create', 'roots/list'].entries()) {
    const answered = host.app.nextAnswer();
    host.connection.deliver({ jsonrpc: '2.0', id: `ask-${id}`, method, params: {} });
    expect(await answered).toMatchObject({ id: `ask-${id}`, error: { code: -32601 } });
  }
  expect(host.app.received[0]).toMatchObject({ method: 'initialize', params: { capabilities: {} } });
});

test('a malicious description is shown as plain, short text', async () => {
  verifies('S92');
  const server = newServer();
  const inputSchema = { note: z.string().describe(`send\u200b ${'x'.repeat(5000)}`) };
  server.registerTool('poison', { description: `do\u200b ${'x'.repeat(100_000)}`, inputSchema }, () => ({
    content: [],
  }));
  await using host = await connect(server);
  const { description, inputSchema: shown } = host.tool('poison');
  expect(description).toMatch(/^do x/);
  expect(description.length).toBeLessThan(5000);
  expect(JSON.stringify(shown)).not.toContain('\u200b');
  expect(JSON.stringify(shown).length).toBeLessThan(2000);
});

test('a changed list of tools is read again', async () => {
  const server = newServer();
  server.registerTool('one', {}, () => ({ content: [] }));
  const changed = Promise.withResolvers<void>();
  await using host = await connect(server, { onToolsChanged: () => changed.resolve() });
  server.registerTool('two', {}, () => ({ content: [] }));
  await changed.promise;
  expect(host.connection.tools.map(({ name }) => name)).toEqual(['mcp__app__one', 'mcp__app__two']);
});

test('prompts are listed, filled in, and read again on notification', async () => {
  verifies('M-36');
  const server = newServer();
  const argsSchema = { city: z.string(), day: z.string().optional() };
  server.registerPrompt('weather', { description: 'Asks for it.', argsSchema }, ({ city }) => ({
    messages: [
      { role: 'user', content: { type: 'text', text: `Weather in ${city}?` } },
      { role: 'assistant', content: { type: 'text', text: 'Let me see.' } },
    ],
  }));
  await using host = await connect(server);
  expect(host.connection.prompts).toEqual([
    {
      name: 'weather',
      commandName: 'mcp__app__weather',
      description: 'Asks for it.',
      parameters: [
        { name: 'city', required: true },
        { name: 'day', required: false },
      ],
    },
  ]);
  expect(await host.connection.getPrompt('weather', { city: 'Oslo' })).toBe(
    'Weather in Oslo?\n[assistant]\nLet me see.',
  );
  await expect(host.connection.getPrompt('weather', {})).rejects.toMatchObject({ code: 'invalid_tool_input' });
  await expect(host.connection.getPrompt('other', {})).rejects.toMatchObject({ code: 'invalid_tool_input' });
  server.registerPrompt('second', {}, () => ({ messages: [] }));
  await vi.waitFor(() => expect(host.connection.prompts.map(({ name }) => name)).toEqual(['weather', 'second']));
});

test('close fails running calls and rejects later ones', async () => {
  const server = newServer();
  const started = Promise.withResolvers<void>();
  server.registerTool('hang', {}, () => {
    started.resolve();
    return new Promise(() => {});
  });
  const host = await connect(server);
  const run = runTool(host.tool('hang'), {}, context);
  const failed = expect(run).rejects.toMatchObject({ code: 'mcp_failed' });
  await started.promise;
  await host.connection.close();
  await host.connection.close();
  await failed;
  await expect(runTool(host.tool('hang'), {}, context)).rejects.toThrow(/not connected/i);
});

test.each([
  ['the app says no', () => Promise.reject(new Error('no such server'))],
  ['the answer is empty', () => Promise.resolve(undefined)],
  ['the answer is nonsense', (message: JsonRpcMessage) => Promise.resolve({ id: message.id, result: 'x' })],
])('a connection fails when %s', async (_, send) => {
  const connecting = connectInAppMcpServer({ serverName: 'app', send, requestTimeoutMs: 200 });
  await expect(connecting).rejects.toMatchObject({
    code: expect.stringMatching(/^(mcp_failed|timeout)$/),
  });
});

/** A server that answers what no real one would. */
function fakeServer(tools: readonly unknown[], call: (name: string) => object, nextCursor?: () => string) {
  return (message: JsonRpcMessage): Promise<JsonRpcMessage | undefined> => {
    const { name = '' } = (message.params ?? {}) as { name?: string };
    const results: Record<string, () => object> = {
      initialize: () => ({
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'fake', version: '1' },
      }),
      'tools/list': () => ({ tools, ...(nextCursor && { nextCursor: nextCursor() }) }),
      'tools/call': () => call(name),
    };
    const result = results[message.method ?? '']?.();
    return Promise.resolve(result && { jsonrpc: '2.0', id: message.id, result });
  };
}
