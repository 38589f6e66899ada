import { createSdkMcpServer, tool } from '@qwen/sdk';
import { calls, lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { collect, results, userMessage } from '../../spine/fixture.ts';
import { openFixture, SLOW_START_MS } from './fixture.ts';

const calculator = () =>
  createSdkMcpServer({
    name: 'calculator',
    tools: [
      tool('sum', 'Adds two numbers.', { a: z.number(), b: z.number() }, ({ a, b }) => ({
        content: [{ type: 'text', text: `sum:${a + b}` }],
      })),
    ],
  });

test('an in-process tool runs, and a wrapped call is shown as the tool that runs', {
  timeout: SLOW_START_MS,
}, async () => {
  verifies('FB1');
  await using fixture = await openFixture(() => [
    calls({ name: 'tool_search', input: { query: 'select:mcp__calculator__sum' } }),
    calls({ name: 'tool_call', input: { name: 'mcp__calculator__sum', arguments: { a: 2, b: 40 } } }),
    (request) => says(lastText(request)),
  ]);
  const conversation = fixture.query('add', {
    mcpServers: { calculator: calculator() },
    canUseTool: (_name, updatedInput) => ({ behavior: 'allow', updatedInput }),
    timeout: { mcpRequest: 120_000 },
  });
  expect(await conversation.mcpServerStatus()).toEqual({ calculator: 'connected' });
  const messages = await collect(conversation);
  expect(results(messages)).toMatchObject([{ result: expect.stringContaining('sum:42') }]);
  const used = messages.flatMap((message) =>
    message.type === 'assistant' ? message.message.content.filter(({ type }) => type === 'tool_use') : [],
  );
  expect(used).toMatchObject([
    { name: 'tool_search' },
    { name: 'mcp__calculator__sum', input: { a: 2, b: 40 }, raw_name: 'tool_call' },
  ]);
  expect(fixture.heard.join('\n')).toContain(
    'unsupported_by_cli: options.timeout.mcpRequest is too long: this CLI waits at most 30000 ms for a call of an in-process tool.',
  );
});

test('a message with an image is refused, because this CLI would pass its bytes to the model as text', {
  timeout: SLOW_START_MS,
}, async () => {
  await using fixture = await openFixture(() => [says('never')]);
  async function* prompts() {
    const source = { type: 'base64' as const, media_type: 'image/png', data: 'iVBORw0KGgo=' };
    yield { ...userMessage(''), message: { role: 'user' as const, content: [{ type: 'image' as const, source }] } };
  }
  await expect(collect(fixture.query(prompts()))).rejects.toMatchObject({ code: 'unsupported_by_cli' });
  expect(fixture.asked).toEqual([]);
});
