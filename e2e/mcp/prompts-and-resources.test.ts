import type { SDKMessage } from '@qwen/sdk';
import { calls, lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { collect, openFixture, results } from '../spine/fixture.ts';
import { childServer, EVERYTHING } from './real-servers.ts';

const mcpServers = { real: childServer(EVERYTHING) };

test('prompts of a server are slash commands that expand to their text', async () => {
  verifies('CF-40');
  await using fixture = await openFixture([says('ok')]);
  const conversation = fixture.query('/mcp__real__args-prompt "New York" NY', { mcpServers });
  const messages: SDKMessage[] = [];
  let commands: readonly string[] = [];
  for await (const message of conversation) {
    messages.push(message);
    if (message.type === 'system' && message.subtype === 'init')
      ({ commands } = await conversation.supportedCommands());
  }
  expect(results(messages)).toMatchObject([{ subtype: 'success' }]);
  expect(commands).toContain('mcp__real__args-prompt');
  const [request] = fixture.model.requests;
  const asked = request && lastText(request);
  expect(asked).toContain('New York');
  expect(asked).not.toContain('/mcp__');
  const init = messages.find((message) => message.type === 'system' && message.subtype === 'init');
  expect(init).toMatchObject({ slash_commands: expect.arrayContaining(['mcp__real__args-prompt']) });
});

test('a prompt with a missing argument returns a result with the reason, without a model call', async () => {
  await using fixture = await openFixture([says('never asked')]);
  const messages = await collect(fixture.query('/mcp__real__args-prompt', { mcpServers }));
  const [result] = results(messages);
  expect(result).toMatchObject({ is_error: true });
  expect(JSON.stringify(result)).toContain('The prompt args-prompt needs city');
  expect(fixture.model.requests).toEqual([]);
});

test('resources are listed and read', async () => {
  verifies('S96');
  let uri = '';
  await using fixture = await openFixture([
    calls({ name: 'list_mcp_resources', input: { server: 'real' } }),
    (request) => {
      const [first] = JSON.parse(lastText(request));
      uri = first.uri;
      return calls({ name: 'read_mcp_resource', input: { server: 'real', uri } });
    },
    (request) => says(lastText(request).slice(0, 100)),
  ]);
  const allowedTools = ['list_mcp_resources', 'read_mcp_resource'];
  const messages = await collect(fixture.query('read', { mcpServers, allowedTools }));
  expect(uri).not.toBe('');
  const [result] = results(messages);
  expect(result).toMatchObject({ subtype: 'success' });
  expect(result?.result).not.toMatch(/^\[the resource|No MCP server/);
});
