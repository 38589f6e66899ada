import { childrenOf, processGone, temporaryFolder, trackChildren, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { startFaultyServer } from '../../../test/faulty-server.js';
import { runTool, runToolForText } from '../../../test/run-tool.js';
import { StdioTransport } from './stdio-transport.js';

const context = { cwd: '/' };

test('tools of a program are listed and called', async () => {
  verifies('O-32', 'O-36', 'CF-45');
  await using server = await startFaultyServer('none');
  expect(server.connection.tools.map(({ name }) => name)).toContain('mcp__test__echo');
  expect(await runToolForText(server.tool('echo'), { a: 'é\u2028' }, context)).toBe('{"a":"é\u2028"}');
});

test('the environment contains a few variables plus the configured ones, in the configured folder', async () => {
  verifies('S98', 'S108', 'O-36');
  await using folder = await temporaryFolder();
  await using server = await startFaultyServer('none', {
    cwd: folder.path,
    env: { API_KEY: 'mine' },
    environment: { PATH: process.env['PATH'] ?? '', OPENAI_API_KEY: 'sk-ours', NODE_OPTIONS: '--title=x', LANG: 'C' },
  });
  const seen: unknown = JSON.parse(await runToolForText(server.tool('environment'), {}, context));
  expect(seen).toMatchObject({ API_KEY: 'mine', LANG: 'C' });
  expect(seen).not.toHaveProperty('OPENAI_API_KEY');
  expect(seen).not.toHaveProperty('NODE_OPTIONS');
  expect(await runToolForText(server.tool('where'), {}, context)).toBe(folder.path);
});

test.each([
  ['exits', {}, { code: 'mcp_failed', message: expect.stringMatching(/code 7.*no database/) }],
  ['mute', { startTimeoutMs: 300 }, { code: 'timeout' }],
  ['mute list', { startTimeoutMs: 300 }, { code: 'timeout' }],
])('a server that %s at its start is an error with the reason', async (fault, options, error) => {
  verifies('F102', 'F103', 'F108');
  const children = trackChildren();
  await expect(startFaultyServer(fault, options)).rejects.toMatchObject(error);
  expect(children()).toEqual([]);
});

test('a server whose start is canceled before its program runs is not started', async () => {
  const children = trackChildren();
  const signal = AbortSignal.abort();
  await expect(startFaultyServer('none', { signal })).rejects.toMatchObject({ code: 'aborted' });
  const transport = new StdioTransport({
    command: process.execPath,
    args: ['-e', 'setInterval(() => {}, 1000)'],
    env: {},
    cwd: '/',
  });
  const starting = transport.start();
  await transport.close();
  await expect(starting).rejects.toMatchObject({ code: 'mcp_failed' });
  expect(children()).toEqual([]);
});

test('a missing program is an error that names it', async () => {
  verifies('F102');
  const { createTransport } = await import('./create-transport.js');
  const { connectMcpServer } = await import('../client.js');
  const endpoint = { kind: 'stdio', command: '/no/such/program', args: [], env: {} } as const;
  const transport = await createTransport({ endpoint, cwd: '/', environment: {} });
  await expect(connectMcpServer({ serverName: 'test', transport })).rejects.toMatchObject({
    code: 'mcp_failed',
    message: expect.stringMatching(/no\/such\/program.*ENOENT/),
  });
});

test('control characters of stderr do not reach a message', async () => {
  verifies('S105');
  const failure: unknown = await startFaultyServer('exits').catch((error: unknown) => error);
  expect(String(failure)).toContain('no database');
  expect(String(failure)).not.toContain('\u001b');
});

test('a server that exits during a call fails that call with its last output', async () => {
  verifies('F104', 'F108');
  await using server = await startFaultyServer('none');
  await expect(runTool(server.tool('die'), {}, context)).rejects.toMatchObject({
    code: 'mcp_failed',
    message: expect.stringMatching(/code 9.*out of memory/),
  });
  expect(await server.connection.ended).toMatchObject({ code: 'mcp_failed', data: { exitCode: 9 } });
});

test('a server that ignores the end of stdin and SIGTERM is ended by close with its group', async () => {
  verifies('F113');
  const server = await startFaultyServer('never leaves');
  const pid = Number(await runToolForText(server.tool('pid'), {}, context));
  await server.connection.close();
  expect(processGone(pid)).toBe(true);
});

test('processes in the group of a server end with it', async () => {
  verifies('F113');
  const server = await startFaultyServer('leaves a child');
  const pid = Number(await runToolForText(server.tool('pid'), {}, context));
  const [child = 0] = childrenOf(pid);
  expect(child).toBeGreaterThan(0);
  await server.connection.close();
  await waitUntilGone(child);
});

test('lines on stdout that are not messages are skipped and reported once', async () => {
  verifies('F108');
  await using server = await startFaultyServer('noise');
  expect(server.notices).toEqual(['noise']);
  expect(await runToolForText(server.tool('echo'), {}, context)).toBe('{}');
});

test('a hundred megabytes of stderr are read and dropped', async () => {
  verifies('F108');
  await using server = await startFaultyServer('stderr flood');
  expect(await runToolForText(server.tool('echo'), {}, context)).toBe('{}');
});

test('an oversized answer ends the connection with a reason', async () => {
  verifies('F107');
  await using server = await startFaultyServer('none');
  await expect(runTool(server.tool('much'), {}, context)).rejects.toMatchObject({
    code: 'mcp_failed',
    message: expect.stringContaining('sent too much'),
  });
});

test('the end of the turn ends a call immediately, even if the server continues', async () => {
  verifies('F105');
  await using server = await startFaultyServer('none');
  const abort = new AbortController();
  const run = runTool(server.tool('hang'), {}, { ...context, signal: abort.signal });
  abort.abort();
  await expect(run).rejects.toMatchObject({ code: 'aborted' });
  expect(await runToolForText(server.tool('echo'), {}, context)).toBe('{}');
});

test('progress keeps a call alive only up to a hard maximum', async () => {
  verifies('F106');
  await using server = await startFaultyServer('none', { requestTimeoutMs: 500, startTimeoutMs: 10_000 });
  const progressed = Promise.withResolvers<void>();
  let notes = 0;
  const emit = () => {
    notes += 1;
    // 30 notes at 20 ms take longer than the limit of 500 ms, which each note restarts.
    if (notes === 30) progressed.resolve();
  };
  const run = runTool(server.tool('progress'), {}, { ...context, emit });
  const failed = expect(run).rejects.toMatchObject({ code: 'timeout' });
  await progressed.promise;
  await failed;
}, 15_000);

test.each([
  ['endless', 50, /Only the first 50/],
  ['ten thousand', 1000, /Only the first 1000/],
  ['long words', 1, /descriptions of 1/],
])('a list that is %s is cut with a notice', async (fault, count, notice) => {
  verifies('F109');
  await using server = await startFaultyServer(fault);
  expect(server.connection.tools).toHaveLength(count);
  expect(server.notices).toEqual([expect.stringMatching(notice)]);
  expect(Math.max(...server.connection.tools.map(({ description }) => description.length))).toBeLessThan(5000);
});

test('a flood of change notifications causes few list requests', async () => {
  verifies('F110');
  const changed = Promise.withResolvers<void>();
  await using server = await startFaultyServer('none', { onToolsChanged: () => changed.resolve() });
  await runTool(server.tool('storm'), {}, context);
  await changed.promise;
  expect(Number(await runToolForText(server.tool('lists'), {}, context))).toBeLessThan(5);
});

test('a server that does not read its input is ended before the memory is full', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on('warning', note);
  const transport = new StdioTransport({
    command: process.execPath,
    args: ['-e', 'setInterval(() => {}, 1000)'],
    env: {},
    cwd: '/',
  });
  const ended = Promise.withResolvers<Error>();
  transport.onerror = ended.resolve;
  await transport.start();
  const answer = { jsonrpc: '2.0' as const, id: 1, result: { text: 'x'.repeat(4 * 1024 * 1024) } };
  const sent = Array.from({ length: 20 }, () => transport.send(answer).catch(() => undefined));
  expect(await ended.promise).toMatchObject({ code: 'mcp_failed', message: expect.stringContaining('does not read') });
  await Promise.all(sent);
  await transport.close();
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
