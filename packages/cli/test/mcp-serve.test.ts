import { readFile } from 'node:fs/promises';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { calls, childrenOf, lastText, says, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, BIN, type CliFixture, control, openCliFixture, prompt, RESULT } from './cli-fixture.js';

const WRITES = [calls({ name: 'write_file', input: { file_path: 'made.txt', content: 'made' } }), says('done')];

function command({ env, workspace }: CliFixture, args: readonly string[] = []) {
  return { command: process.execPath, args: [BIN, 'mcp', 'serve', ...args], env: { ...env }, cwd: workspace.path };
}

/** A client of the revisions with `initialize`, whose user decides about each form. */
async function connectOld(fixture: CliFixture, decide?: () => string, args?: readonly string[]) {
  const asked: string[] = [];
  const capabilities = decide === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: 'old', version: '1' }, { capabilities });
  if (decide !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params: { message } }) => {
      asked.push(message);
      const decision = decide();
      return decision === 'decline' || decision === 'cancel'
        ? { action: decision }
        : { action: 'accept', content: { decision } };
    });
  }
  await client.connect(new StdioClientTransport(command(fixture, args)));
  return { client, asked, [Symbol.asyncDispose]: () => client.close() };
}

test('a client of an earlier revision runs a prompt, sees progress, continues and reads the session', async () => {
  await using fixture = await openCliFixture([says('first'), says('second')]);
  await using old = await connectOld(fixture);
  const { client } = old;
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['run']);
  const first = await client.callTool({ name: 'run', arguments: { prompt: 'one' } });
  expect(first).toMatchObject({ structuredContent: { text: 'first', outcome: 'success', denials: [] } });
  const { session_id: sessionId } = Object(first.structuredContent);
  const again = { prompt: 'two', session_id: sessionId };
  expect(await client.callTool({ name: 'run', arguments: again })).toMatchObject({
    structuredContent: { text: 'second', session_id: sessionId },
  });
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([`qwen://sessions/${sessionId}`]);
  const markdown = await client.readResource({ uri: `qwen://sessions/${sessionId}` });
  expect(markdown.contents).toMatchObject([{ mimeType: 'text/markdown', text: expect.stringContaining('second') }]);
  const json = await client.readResource({ uri: `qwen://sessions/${sessionId}/json` });
  expect(JSON.parse(String(Object(json.contents[0]).text))).toMatchObject({ session_id: sessionId });
}, 60_000);

test('a folder outside the allowed ones, and an unknown session, are refused', async () => {
  await using fixture = await openCliFixture();
  await using old = await connectOld(fixture);
  for (const wrong of [{ cwd: '/' }, { cwd: '..' }, { session_id: '../x' }, { session_id: crypto.randomUUID() }]) {
    const result = await old.client.callTool({ name: 'run', arguments: { prompt: 'x', ...wrong } });
    expect(result).toMatchObject({ isError: true });
  }
  await expect(old.client.readResource({ uri: 'qwen://sessions/nothing' })).rejects.toThrow('nothing');
}, 60_000);

const madeBy = ({ workspace }: CliFixture) => readFile(workspace.resolve('made.txt'), 'utf8').catch(() => undefined);

test('only the answer "Allow once" lets the file be written', async () => {
  const decisions = ['Deny', 'Allow', 'decline', 'cancel', 'Allow once'];
  await using fixture = await openCliFixture(decisions.flatMap(() => WRITES));
  let decision = '';
  await using old = await connectOld(fixture, () => decision);
  for (decision of decisions) {
    old.asked.length = 0;
    const result = await old.client.callTool({ name: 'run', arguments: { prompt: 'write' } });
    const isAllowed = decision === 'Allow once';
    const { denials } = Object(result.structuredContent);
    expect([decision, denials]).toEqual([decision, isAllowed ? [] : [expect.anything()]]);
    expect([decision, old.asked.length]).toEqual([decision, 1]);
    expect([decision, await madeBy(fixture)]).toEqual([decision, isAllowed ? 'made' : undefined]);
  }
}, 60_000);

test('without a client that asks its user, the file is not written', async () => {
  await using fixture = await openCliFixture(WRITES);
  await using old = await connectOld(fixture);
  const result = await old.client.callTool({ name: 'run', arguments: { prompt: 'write' } });
  expect(Object(result.structuredContent).denials).toHaveLength(1);
  expect(await madeBy(fixture)).toBe(undefined);
}, 60_000);

test('a client without initialize approves by a second request', async () => {
  await using fixture = await openCliFixture(WRITES);
  const client = new ModernClient(
    { name: 'new', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { decision: 'Allow once' } }));
  await client.connect(new ModernTransport(command(fixture)));
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  const result = await client.callTool({ name: 'run', arguments: { prompt: 'write' } });
  expect(result).toMatchObject({ structuredContent: { text: 'done', denials: [] } });
  expect(await readFile(fixture.workspace.resolve('made.txt'), 'utf8')).toBe('made');
  await client.close();
}, 60_000);

/** Answers by prompt, as two runs at once ask in any order. */
function byPrompt(request: Parameters<typeof lastText>[0]) {
  const text = lastText(request);
  if (text === 'sleep') return calls({ name: 'run_shell_command', input: { command: 'sleep 600' } });
  return text.startsWith('look') ? calls({ name: 'list_directory', input: { path: '.' } }) : says(`answer to ${text}`);
}
const YOLO = ['--approval-mode', 'yolo'];

test('two calls at once do not mix, and a cancelled one ends with its command', async () => {
  await using fixture = await openCliFixture([byPrompt]);
  const transport = new StdioClientTransport(command(fixture, YOLO));
  const client = new Client({ name: 'old', version: '1' });
  await client.connect(transport);
  const pid = transport.pid ?? 0;
  const abort = new AbortController();
  const started = Promise.withResolvers<string | undefined>();
  const sleeping = client.callTool({ name: 'run', arguments: { prompt: 'sleep' } }, undefined, {
    signal: abort.signal,
    onprogress: ({ message }) => started.resolve(message),
  });
  sleeping.catch(() => undefined);
  expect(await started.promise).toContain('sleep 600');
  const quick = await client.callTool({ name: 'run', arguments: { prompt: 'quick' } });
  expect(quick).toMatchObject({ structuredContent: { text: 'answer to quick' } });
  const children = childrenOf(pid);
  expect(children).not.toEqual([]);
  abort.abort('enough');
  await expect(sleeping).rejects.toThrow('enough');
  await Promise.all(children.map((child) => waitUntilGone(child)));
  const limited = await client.callTool({ name: 'run', arguments: { prompt: 'look', max_turns: 1 } });
  expect(limited).toMatchObject({ isError: true, structuredContent: { outcome: 'max_turns' } });
  const free = await client.callTool({ name: 'run', arguments: { prompt: 'x', max_budget_usd: 1 } });
  expect(free).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('price') }] });
  await client.close();
  await waitUntilGone(pid);
}, 60_000);

test('closing stdin ends the server and the command of a call without an orphan', async () => {
  await using fixture = await openCliFixture([byPrompt]);
  const server = await fixture.start(['mcp', 'serve', ...YOLO]);
  const clientInfo = { name: 'raw', version: '1' };
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  server.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello });
  await server.next({ id: 1 });
  server.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const params = { name: 'run', arguments: { prompt: 'sleep' }, _meta: { progressToken: 't' } };
  server.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
  await server.next({ method: 'notifications/progress' });
  const children = childrenOf(server.pid);
  server.endInput();
  expect(await server.exited).toMatchObject({ code: 0 });
  await Promise.all(children.map((child) => waitUntilGone(child)));
}, 60_000);

test('qwen itself is a client: an approval goes from the inner agent to the user of the outer one', async () => {
  await using fixture = await openCliFixture([
    calls({ name: 'mcp__inner__run', input: { prompt: 'write' } }),
    ...WRITES,
    says('outer done'),
  ]);
  const config = {
    mcpServers: { inner: { command: process.execPath, args: [BIN, 'mcp', 'serve'], env: fixture.env, required: true } },
  };
  const agent = await fixture.startMachine([
    '--mcp-config',
    JSON.stringify(config),
    '--allowed-tools',
    'mcp__inner__run',
  ]);
  agent.send(control('1', { subtype: 'initialize', elicitation: true }));
  agent.send(prompt('delegate'));
  const asked = await agent.next({ type: 'control_request', request: { subtype: 'elicitation' } });
  expect(asked).toMatchObject({ request: { message: expect.stringContaining('made.txt') } });
  agent.send(answer(asked['request_id'], { action: 'accept', content: { decision: 'Allow once' } }));
  agent.endInput();
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success', result: 'outer done' });
  expect(await readFile(fixture.workspace.resolve('made.txt'), 'utf8')).toBe('made');
}, 60_000);
