import { calls, FAULTY_MCP_SERVER as FAULTY, lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { collect, openFixture, results } from '../spine/fixture.ts';
import { childServer, EVERYTHING, FILESYSTEM, startEverything } from './real-servers.ts';

const echo = calls({ name: 'mcp__real__echo', input: { message: 'hello there' } });
const allowedTools = ['mcp__*'];

test('the tools of a stdio server are offered and called', async () => {
  verifies('M-11', 'M-21', 'O-32', 'O-36', 'FB15');
  await using fixture = await openFixture([echo, (request) => says(lastText(request))]);
  const mcpServers = { real: childServer(EVERYTHING) };
  const messages = await collect(fixture.query('echo', { mcpServers, allowedTools }));
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'Echo: hello there' }]);
  const init = messages.find((message) => message.type === 'system' && message.subtype === 'init');
  expect(init).toMatchObject({ mcp_servers: [{ name: 'real', status: 'connected' }] });
  expect(init).toMatchObject({ tools: expect.arrayContaining(['mcp__real__echo', 'read_mcp_resource']) });
});

test('the file server offers only the selected tools', async () => {
  verifies('O-38');
  await using fixture = await openFixture([
    calls({ name: 'mcp__files__read_text_file', input: { path: 'a.txt' } }),
    (request) => says(lastText(request)),
  ]);
  await fixture.workspace.write('a.txt', 'in the file');
  const files = {
    ...childServer(FILESYSTEM, fixture.workspace.path),
    includeTools: ['read_text_file', 'write_file'],
    excludeTools: ['write_file'],
    trust: true,
  };
  const messages = await collect(fixture.query('read', { mcpServers: { files } }));
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'in the file' }]);
  const offered = fixture.model.requests[0]?.tools?.map((tool) => tool.function.name) ?? [];
  expect(offered.filter((name) => name.startsWith('mcp__'))).toEqual(['mcp__files__read_text_file']);
});

test('servers over HTTP and SSE', async () => {
  verifies('O-37', 'M-21');
  await using http = await startEverything('streamableHttp');
  await using sse = await startEverything('sse');
  const mcpServers = {
    named: { httpUrl: `http://127.0.0.1:${http.port}/mcp` },
    typed: { type: 'http', url: `http://127.0.0.1:${http.port}/mcp` },
    events: { url: `http://127.0.0.1:${sse.port}/sse` },
  } as const;
  const names = Object.keys(mcpServers);
  const echoes = names.map((name, row) => ({
    name: `mcp__${name}__echo`,
    input: { message: name },
    id: `call_${row}`,
  }));
  await using fixture = await openFixture([calls(...echoes), says('done')]);
  await collect(fixture.query('echo', { mcpServers, allowedTools }));
  const told = fixture.model.requests
    .at(-1)
    ?.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
  expect(told).toEqual(names.map((name) => `Echo: ${name}`));
});

test('servers that fail to start are reported with the reason; the others and the built-in tools work', async () => {
  verifies('F102', 'FB15', 'GAP-44');
  await using fixture = await openFixture([echo, (request) => says(lastText(request))]);
  const mcpServers = {
    missing: { command: '/no/such/program' },
    broken: childServer(FAULTY, 'exits'),
    real: childServer(EVERYTHING),
  };
  const messages = await collect(fixture.query('echo', { mcpServers, allowedTools }));
  expect(results(messages)).toMatchObject([{ result: 'Echo: hello there' }]);
  const text = JSON.stringify(messages.filter((message) => message.type === 'system'));
  expect(text).toContain('/no/such/program');
  expect(text).toContain('no database');
});

test('a server that exits is restarted, and the next call works', async () => {
  verifies('F104');
  await using fixture = await openFixture([
    calls({ name: 'mcp__weak__die', input: {} }),
    calls({ name: 'mcp__weak__echo', input: { a: 1 } }),
    (request) => says(lastText(request)),
  ]);
  const mcpServers = { weak: childServer(FAULTY) };
  const messages = await collect(fixture.query('die', { mcpServers, allowedTools }));
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: '{"a":1}' }]);
  expect(JSON.stringify(messages)).toContain('out of memory');
});

test('a server that never answers delays nothing: the first turn starts without it', async () => {
  await using fixture = await openFixture([says('done')]);
  const mcpServers = { mute: childServer(FAULTY, 'mute') };
  const messages = await collect(fixture.query('go', { mcpServers, mcpReady: undefined, allowedTools }));
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'done' }]);
  const init = messages.find((message) => message.type === 'system' && message.subtype === 'init');
  expect(init).toMatchObject({ mcp_servers: [{ name: 'mute', status: expect.not.stringMatching('^connected$') }] });
  expect(JSON.stringify(messages)).toContain('mcp_servers_starting');
});
