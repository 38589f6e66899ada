import { readFile } from 'node:fs/promises';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { calls, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN, type CliFixture, openCliFixture } from './cli-fixture.js';

const WRITES = [calls({ name: 'write_file', input: { file_path: 'made.txt', content: 'made' } }), says('done')];

function command({ env, workspace }: CliFixture, args: readonly string[] = []) {
  return { command: process.execPath, args: [BIN, 'mcp', 'serve', ...args], env: { ...env }, cwd: workspace.path };
}

/** A client of the revisions with `initialize`, whose user gives this answer to each form. */
async function connectOld(fixture: CliFixture, answer?: string, args?: readonly string[]) {
  const asked: string[] = [];
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: 'old', version: '1' }, { capabilities });
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params: { message } }) => {
      asked.push(message);
      return { action: 'accept', content: { decision: answer } };
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

test.each([
  ['Allow once', 'made'],
  ['Deny', undefined],
  ['Allow', undefined],
  [undefined, undefined],
])(
  'with the answer %s, the file contains %s',
  async (answer, content) => {
    await using fixture = await openCliFixture(WRITES);
    await using old = await connectOld(fixture, answer);
    const result = await old.client.callTool({ name: 'run', arguments: { prompt: 'write' } });
    const { denials } = Object(result.structuredContent);
    expect(denials).toHaveLength(content === undefined ? 1 : 0);
    expect(old.asked).toHaveLength(answer === undefined ? 0 : 1);
    const text = await readFile(fixture.workspace.resolve('made.txt'), 'utf8').catch(() => undefined);
    expect(text).toBe(content);
  },
  60_000,
);

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
