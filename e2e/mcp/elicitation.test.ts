import type { ElicitationRequest } from '@qwen/sdk';
import { calls, FAULTY_MCP_SERVER, lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { collect, openFixture, results } from '../spine/fixture.ts';
import { childServer } from './real-servers.ts';

const question = {
  message: 'Which branch?',
  requestedSchema: { type: 'object', properties: { branch: { type: 'string', default: 'main' } } },
};
const mcpServers = { git: childServer(FAULTY_MCP_SERVER, 'none') };
const allowedTools = ['mcp__*'];

test('a server asks the user through the app, and only if the app supports it', async () => {
  verifies('S97');
  const asks = calls({ name: 'mcp__git__ask', input: question });
  await using fixture = await openFixture([
    asks,
    (request) => says(lastText(request)),
    asks,
    (request) => says(lastText(request)),
  ]);
  const seen: ElicitationRequest[] = [];
  const onElicitation = (request: ElicitationRequest) => {
    seen.push(request);
    return { action: 'accept', content: {} } as const;
  };
  const messages = await collect(fixture.query('ask', { mcpServers, allowedTools, onElicitation }));
  expect(results(messages)).toMatchObject([{ result: '{"action":"accept","content":{"branch":"main"}}' }]);
  expect(seen).toEqual([
    { serverName: 'git', mode: 'form', message: 'Which branch?', requestedSchema: question.requestedSchema },
  ]);
  const without = await collect(fixture.query('ask', { mcpServers, allowedTools }));
  expect(results(without)).toMatchObject([{ result: expect.stringContaining('-32601') }]);
});
