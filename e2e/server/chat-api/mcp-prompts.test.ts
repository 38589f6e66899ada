import { lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { childServer, EVERYTHING } from '../../mcp/real-servers.ts';
import { openServeFixture } from '../serve-fixture.ts';

test('prompts of configured MCP servers are commands over HTTP', async () => {
  verifies('Q-109', 'Q-93', 'GAP-105', 'GAP-80', 'CF-65');
  await using fixture = await openServeFixture({
    replies: [says('Sunny.')],
    settings: { mcpServers: { real: childServer(EVERYTHING) } },
  });
  await fixture.workspace.write('.qwen/commands/own.toml', 'prompt = "Mine"');
  const ask = async (path: string, body: object) => Object(await (await fixture.post(path, body)).json());
  const { sessionId } = await ask('/api/session', {});
  const { commands } = await ask('/api/commands/list', { sessionId });
  expect(commands).toContainEqual({ name: 'own', description: 'Custom command from own.toml', kind: 'file' });
  expect(commands).toContainEqual({
    name: 'mcp__real__args-prompt',
    description: expect.stringMatching(/\S/),
    kind: 'mcp-prompt',
  });
  expect(
    await ask('/api/commands/help', { sessionId, command: '/mcp__real__args-prompt', reload: true }),
  ).toMatchObject({
    success: true,
    command: { kind: 'mcp-prompt' },
  });
  expect(
    await ask('/api/commands/execute', { sessionId, command: 'mcp__real__args-prompt', args: '"New York" NY' }),
  ).toMatchObject({ success: true, command: 'mcp__real__args-prompt', output: 'Sunny.' });
  const [request] = fixture.model.requests;
  expect(request && lastText(request)).toContain('New York');
  const lacking = await fixture.post('/api/commands/execute', { sessionId, command: 'mcp__real__args-prompt' });
  expect(lacking.status).toBe(502);
  expect(await lacking.json()).toMatchObject({ success: false, message: expect.stringContaining('needs city') });
}, 60_000);
