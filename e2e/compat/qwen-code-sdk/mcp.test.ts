import { calls, FAULTY_MCP_SERVER, lastText, says, verifies, waitUntilGone } from '@qwen/testkit';
import { createSdkMcpServer, isSdkMcpServerConfig, tool } from '@qwen-code/sdk';
import { expect, test } from 'vitest';
import * as z3 from 'zod3';
import { collect, openFixture, results } from './fixture.ts';

const allowAll = async (_name: string, updatedInput: Record<string, unknown>) =>
  ({ behavior: 'allow', updatedInput }) as const;

const calculator = () =>
  createSdkMcpServer({
    name: 'calculator',
    tools: [
      tool('sum', 'Adds two numbers.', { a: z3.number(), b: z3.number() }, async ({ a, b }) => ({
        content: [{ type: 'text', text: `sum:${a + b}` }],
      })),
      tool('fail', 'Fails.', {}, async () => {
        throw new Error('the calculator broke');
      }),
    ],
  });

test('its own in-process MCP server is served', async () => {
  verifies('M-10', 'M-64', 'M-65', 'M-66', 'O-31', 'FB1');
  await using fixture = await openFixture(() => [
    calls({ name: 'mcp__calculator__sum', input: { a: 2, b: 40 } }),
    (request) => says(`It is ${lastText(request)}.`),
  ]);
  const server = calculator();
  expect(isSdkMcpServerConfig(server)).toBe(true);
  const messages = await collect(fixture.query('add', { mcpServers: { calculator: server }, canUseTool: allowAll }));
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: expect.stringContaining('sum:42') }]);
  expect(messages[0]).toMatchObject({ mcp_servers: [{ name: 'calculator', status: 'connected' }] });
});

test('a tool that throws or gets invalid input returns an error to the model, and the turn continues', async () => {
  verifies('FB1');
  await using fixture = await openFixture(() => [
    calls({ name: 'mcp__calculator__fail', input: {} }),
    calls({ name: 'mcp__calculator__sum', input: { a: 'two' } }),
    says('so be it'),
  ]);
  const messages = await collect(
    fixture.query('add', { mcpServers: { calculator: calculator() }, canUseTool: allowAll }),
  );
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'so be it' }]);
  expect(fixture.model.requests.slice(1).map(lastText)).toEqual([
    expect.stringContaining('the calculator broke'),
    expect.stringMatching(/number/i),
  ]);
});

test('a tool of an in-process server needs permission like every other tool', async () => {
  verifies('M-38');
  await using fixture = await openFixture(() => [
    calls({ name: 'mcp__calculator__sum', input: { a: 2, b: 40 } }),
    says('then not'),
  ]);
  const asked: string[] = [];
  await collect(
    fixture.query('add', {
      mcpServers: { calculator: calculator() },
      canUseTool: async (name) => {
        asked.push(name);
        return { behavior: 'deny', message: 'no sums' };
      },
    }),
  );
  expect(asked).toEqual(['mcp__calculator__sum']);
  expect(lastText(fixture.model.requests[1] ?? { messages: [], model: '' })).toContain('no sums');
});

test('the CLI starts, calls and stops an external server', async () => {
  verifies('M-21', 'O-36');
  await using fixture = await openFixture(() => [
    calls({ name: 'mcp__outside__pid', input: {} }),
    (request) => says(lastText(request)),
  ]);
  const outside = { command: process.execPath, args: [FAULTY_MCP_SERVER], trust: true };
  const messages = await collect(fixture.query('which', { mcpServers: { outside } }));
  expect(messages[0]).toMatchObject({ mcp_servers: [{ name: 'outside', status: 'connected' }] });
  const [result] = results(messages);
  const pid = Number(/\d+/.exec(result?.subtype === 'success' ? result.result : '')?.[0]);
  expect(pid).toBeGreaterThan(0);
  await waitUntilGone(pid, { deadlineMs: 2_000 });
});
