import { createModel, type ModelConfig } from '@qwen/models';
import { startByteServer } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { QUESTION } from '../../test/collect.js';
import { ANTHROPIC, eventsOf, GEMINI, OPENAI_COMPATIBLE } from '../../test/families.js';

/** Reads an answer that hangs after these payloads, up to its last text. */
async function readUntilLast(configFor: (url: string) => ModelConfig, payloads: readonly string[]) {
  await using server = await startByteServer([
    { headers: { 'content-type': 'text/event-stream' }, chunks: [eventsOf(payloads)], ending: 'hang' },
  ]);
  const model = await createModel(configFor(server.url));
  const { signal } = new AbortController();
  const seen: string[] = [];
  const parts = model.stream(QUESTION, {
    signal,
    onUsage: ({ input_tokens: input, output_tokens: output }) => seen.push(`${input} in, ${output} out`),
  });
  for await (const part of parts) {
    if (part.type === 'text_delta') seen.push(part.text);
    if (part.type === 'text_delta' && part.text === 'last') break;
  }
  return seen;
}

test('Anthropic counts the input when the answer starts', async () => {
  const start = { type: 'message_start', message: { id: 'a', usage: { input_tokens: 30, output_tokens: 1 } } };
  const payloads = [JSON.stringify(start), ANTHROPIC.text('first'), ANTHROPIC.text('last')];
  expect(await readUntilLast((url) => ANTHROPIC.configFor(url), payloads)).toEqual(['30 in, 1 out', 'first', 'last']);
});

test('Gemini counts with each chunk, after its parts', async () => {
  const chunk = (text: string, candidatesTokenCount: number) =>
    JSON.stringify({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }],
      usageMetadata: { promptTokenCount: 30, candidatesTokenCount },
    });
  const payloads = [chunk('first', 4), chunk('second', 9), chunk('last', 9)];
  expect(await readUntilLast((url) => GEMINI.configFor(url), payloads)).toEqual([
    'first',
    '30 in, 4 out',
    'second',
    '30 in, 9 out',
    'last',
  ]);
});

test('an endpoint that counts at the end reports nothing before', async () => {
  const payloads = [OPENAI_COMPATIBLE.text('first'), OPENAI_COMPATIBLE.text('last')];
  expect(await readUntilLast((url) => OPENAI_COMPATIBLE.configFor(url), payloads)).toEqual(['first', 'last']);
});
