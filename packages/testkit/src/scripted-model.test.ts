import { expect, test } from 'vitest';
import { calls, says, startScriptedModel, verifies } from './index.js';

test('the scripted model answers in order over real HTTP', async () => {
  verifies('GAP-101');
  await using model = await startScriptedModel([calls({ name: 'f', input: { a: 1 } }), says('done')]);
  const ask = async () => {
    const response = await fetch(`${model.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
    });
    return (await response.json()) as { choices: { message: { content: string; tool_calls?: unknown[] } }[] };
  };
  expect((await ask()).choices[0]?.message.tool_calls).toMatchObject([
    { function: { name: 'f', arguments: '{"a":1}' } },
  ]);
  expect((await ask()).choices[0]?.message.content).toBe('done');
  expect(model.requests).toHaveLength(2);
});
