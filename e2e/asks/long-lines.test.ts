import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { query } from '@qwen/sdk';
import { says, startByteServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { collect, openFixture, results } from '../spine/fixture.ts';

const ECHO = fileURLToPath(new URL('./programs/echoes-in-pieces.mjs', import.meta.url));
const MIB = 1024 * 1024;
// A seam hits one of the first characters often enough; the others keep the work of escaping small.
const PATTERN = `aé€😀\u2028"\\\n${'x'.repeat(100)}`;
const TWELVE_MB = PATTERN.repeat(Math.ceil((12 * MIB) / Buffer.byteLength(PATTERN)));
const maxLineBytes = 128 * MIB;

/** A difference of texts of this size could not be shown. */
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

test('a line of 12 MB passes both ways, however the pipe splits it', {
  timeout: 60_000,
}, async () => {
  verifies('FB10');
  const messages = await collect(query({ prompt: TWELVE_MB, options: { pathToQwenExecutable: ECHO, maxLineBytes } }));
  const [answer] = messages.filter((message) => message.type === 'assistant');
  const [block] = answer?.message.content ?? [];
  expect(hash(block?.type === 'text' ? block.text : '')).toBe(hash(TWELVE_MB));
});

test('the CLI reads lines up to the limit of the app and passes them to the model complete', {
  timeout: 60_000,
}, async () => {
  verifies('F14', 'FB10', 'T20');
  await using fixture = await openFixture([says('never')]);
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
  const choices = [{ index: 0, delta: { role: 'assistant', content: 'read' }, finish_reason: 'stop' }];
  const chunks = [`data: ${JSON.stringify({ ...chunk, choices })}\n\n`, 'data: [DONE]\n\n'];
  await using server = await startByteServer([{ chunks }]);
  const prompt = PATTERN.repeat(Math.ceil((17 * MIB) / Buffer.byteLength(PATTERN)));
  const env = { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` };
  expect(results(await collect(fixture.query(prompt, { maxLineBytes, env })))).toMatchObject([{ result: 'read' }]);
  const { messages } = JSON.parse(server.requests.find(({ body }) => body !== '')?.body ?? '');
  expect(hash(messages.at(-1).content)).toBe(hash(prompt));
});

test('a line over the limit is a typed error that states the limit, on either side', async () => {
  verifies('FB10');
  await using fixture = await openFixture([says('never')]);
  const heard: string[] = [];
  const env = { ...fixture.env, QWEN_MAX_LINE_BYTES: '4096' };
  const conversation = fixture.query('x'.repeat(5_000), { env, debug: true, stderr: (line) => heard.push(line) });
  for await (const message of conversation) if (message.type === 'system') break;
  const prompt = 'x'.repeat(5_000);
  const options = { pathToQwenExecutable: ECHO, maxLineBytes: 4096, stderr: (line: string) => heard.push(line) };
  expect(await collect(query({ prompt, options }))).toMatchObject([{ type: 'result' }]);
  expect(heard.filter((line) => line.includes('line_too_long'))).toEqual([expect.stringContaining('4096')]);
});
