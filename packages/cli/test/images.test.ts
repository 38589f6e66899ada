import { writeFile } from 'node:fs/promises';
import { calls, says, startByteServer } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openCliFixture, RESULT } from './cli-fixture.js';

/** One transparent pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const DATA_URL = `data:image/png;base64,${PNG}`;

test('images of a prompt and images that a tool reads reach the model', async () => {
  await using fixture = await openCliFixture([
    calls({ name: 'read_file', input: { file_path: 'dot.png' } }),
    says('dots'),
  ]);
  await writeFile(fixture.workspace.resolve('dot.png'), Buffer.from(PNG, 'base64'));
  const agent = await fixture.startMachine();
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
  agent.send({ type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'Compare.' }, image] } });
  agent.endInput();
  const result = await agent.next({ type: 'user' });
  expect(result).toMatchObject({
    message: { content: [{ type: 'tool_result', content: expect.arrayContaining([expect.objectContaining(image)]) }] },
  });
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success', result: 'dots' });
  const [first, second] = fixture.model.requests;
  const part = { type: 'image_url', image_url: { url: DATA_URL } };
  expect(first?.messages.at(-1)?.content).toEqual([{ type: 'text', text: 'Compare.' }, part]);
  expect(second?.messages.at(-1)).toMatchObject({ role: 'user', content: expect.arrayContaining([part]) });
});

test('Gemini receives the same image in its format', async () => {
  const answer = { candidates: [{ content: { parts: [{ text: 'a dot' }] }, finishReason: 'STOP' }] };
  await using server = await startByteServer([{ chunks: [`data: ${JSON.stringify(answer)}\n\n`] }]);
  await using fixture = await openCliFixture();
  const env = { HOME: fixture.env['HOME'] ?? '', GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: server.url };
  const agent = await fixture.startMachine([], { env });
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
  agent.send({ type: 'user', message: { role: 'user', content: [image] } });
  agent.endInput();
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success', result: 'a dot' });
  const [request] = server.requests;
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }] }],
  });
});
