import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startFaultyServer, toolOf } from '../../test/faulty-server.js';
import { runToolForText } from '../../test/run-tool.js';
import { connectMcpServer, type McpServerOptions } from './client.js';
import type { Elicitation } from './elicitation.js';
import type { McpEndpoint } from './endpoint.js';
import { createTransport } from './transports/create-transport.js';

const PROGRAM = fileURLToPath(new URL('../../test/programs/era-server.mjs', import.meta.url));
const context = { cwd: '/' };

async function connectTo(endpoint: McpEndpoint, options: Partial<McpServerOptions> = {}) {
  const transport = await createTransport({ endpoint, cwd: process.cwd(), environment: process.env });
  return connectMcpServer({ serverName: 'test', transport, ...options });
}

async function connectOverStdio(age: string, options?: Partial<McpServerOptions>) {
  return connectTo({ kind: 'stdio', command: process.execPath, args: [PROGRAM, age], env: {} }, options);
}

async function startOverHttp(age: string): Promise<{ readonly url: URL } & AsyncDisposable> {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, age, 'http'], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('no output');
  const [port] = await once(child.stdout, 'data');
  return {
    url: new URL(`http://127.0.0.1:${String(port).trim()}/mcp`),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe.each([
  ['modern', 'stdio'],
  ['dual', 'stdio'],
  ['modern', 'http'],
  ['dual', 'http'],
])('a %s server over %s', (age, way) => {
  test('is spoken to in the new revision, with the trace of the call', async () => {
    await using server = way === 'http' ? await startOverHttp(age) : undefined;
    const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
    const traceOf = () => trace;
    const connection =
      server === undefined
        ? await connectOverStdio(age, { traceOf })
        : await connectTo({ kind: 'http', url: server.url, headers: {} }, { traceOf });
    const answer = await runToolForText(toolOf(connection, 'era'), {}, context);
    expect(JSON.parse(answer)).toEqual({ era: 'modern', traceparent: trace.traceparent });
    const changed = toolOf(connection, 'headers');
    expect(await runToolForText(changed, { place: 'Zürich' }, context)).toBe(
      server === undefined ? 'none' : `=?base64?${Buffer.from('Zürich').toString('base64')}?=`,
    );
    await connection.close();
  });
});

test('questions of a modern server go to the user, who sees the page as a browser does', async () => {
  const asked: Elicitation[] = [];
  const connection = await connectOverStdio('modern', {
    elicit: async (question) => {
      asked.push(question);
      return question.mode === 'url' ? { action: 'decline' } : { action: 'accept', content: { name: 'Ada' } };
    },
  });
  const answer = await runToolForText(toolOf(connection, 'ask'), {}, context);
  expect(JSON.parse(answer)).toEqual({
    name: { action: 'accept', content: { name: 'Ada' } },
    page: { action: 'decline' },
  });
  expect(asked.map(({ mode, url }) => ({ mode, url }))).toEqual(
    expect.arrayContaining([
      { mode: undefined, url: undefined },
      { mode: 'url', url: 'https://pay.example/now' },
    ]),
  );
  await connection.close();
});

test('without a user, a modern server that asks gets no answer and the call fails with the reason', async () => {
  const connection = await connectOverStdio('modern');
  await expect(runToolForText(toolOf(connection, 'ask'), {}, context)).rejects.toMatchObject({
    code: expect.stringMatching(/tool_failed|mcp_failed/),
  });
  await connection.close();
});

test('a modern server reports that its tools changed', async () => {
  const changed = Promise.withResolvers<void>();
  const connection = await connectOverStdio('modern', { onToolsChanged: () => changed.resolve() });
  await runToolForText(toolOf(connection, 'grow'), {}, context);
  await changed.promise;
  expect(connection.tools.map(({ name }) => name)).toContain('mcp__test__grown');
  await connection.close();
});

test('a server that ends when it is asked for its era is said to do so, and starts without the question', async () => {
  await expect(startFaultyServer('exits at discover')).rejects.toMatchObject({
    code: 'mcp_failed',
    data: { exitedAtDiscover: true },
  });
  const seen: boolean[] = [];
  await using server = await startFaultyServer('exits at discover', {
    isLegacy: true,
    onToolEntries: (_, { isAskingCostly }) => seen.push(isAskingCostly),
  });
  expect(await runToolForText(server.tool('echo'), { a: 1 }, context)).toBe('{"a":1}');
  expect(seen).toEqual([true]);
});

test('an answer without a valid result fails the start immediately', async () => {
  const script = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const answer = method === 'initialize' ? { result: null } : { error: { code: -32601, message: 'unknown' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });`;
  const start = connectTo({ kind: 'stdio', command: process.execPath, args: ['-e', script], env: {} });
  await expect(start).rejects.toMatchObject({ message: 'test: The server sent an invalid answer.' });
});

test('a server that ignores the question starts in the same process, and is not asked again', async () => {
  const seen: boolean[] = [];
  await using server = await startFaultyServer('ignores unknown', {
    onToolEntries: (_, { isAskingCostly }) => seen.push(isAskingCostly),
  });
  expect(await runToolForText(server.tool('echo'), { a: 1 }, context)).toBe('{"a":1}');
  expect(seen).toEqual([true]);
});
