import { McpServer } from '@modelcontextprotocol/server';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { queryTo, resultOf } from '../../test/programs.js';

test('accepts an McpServer of version 2 of the MCP library', async () => {
  verifies('O-31', 'O-35');
  const instance = new McpServer({ name: 'second', version: '2' });
  instance.registerTool('greet', { inputSchema: z.object({ who: z.string() }) }, async ({ who }) => ({
    content: [{ type: 'text', text: `hello ${who}` }],
  }));
  const messages = [
    {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'cli', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 1, method: 'tools/list' },
    { id: 2, method: 'tools/call', params: { name: 'greet', arguments: { who: 'you' } } },
  ];
  const conversation = queryTo('calls-mcp', {
    prompt: JSON.stringify(messages.map((message) => ({ jsonrpc: '2.0', ...message }))),
    options: { mcpServers: { local: { type: 'sdk', name: 'local', instance } } },
  });
  const answers = JSON.stringify(Reflect.get(await resultOf(conversation), 'answers'));
  expect(answers).toContain('"name":"second"');
  expect(answers).toContain('"name":"greet"');
  expect(answers).toContain('hello you');
});
