import { AsyncQueue } from '@qwen/protocol';
import type { QueryOptions, SDKUserMessage } from '@qwen/sdk';
import { says, startByteServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { collect, results, userMessage } from '../../spine/fixture.ts';
import { openFixture, SLOW_START_MS } from './fixture.ts';

test('requests before the first prompt are answered and take effect', { timeout: SLOW_START_MS }, async () => {
  await using fixture = await openFixture(() => [says('one')]);
  const prompts = new AsyncQueue<SDKUserMessage>();
  const conversation = fixture.query(prompts);
  expect(await conversation.initialize()).toMatchObject({ capabilities: { can_set_model: true } });
  await conversation.interrupt();
  await conversation.setModel('the-other');
  await conversation.setPermissionMode('plan');
  await conversation.setPermissionMode('default');
  expect((await conversation.supportedCommands()).commands).toContain('compress');
  expect(await conversation.mcpServerStatus()).toEqual({});
  expect(await conversation.getContextUsage()).toMatchObject({ model: 'the-other', total_tokens: expect.any(Number) });
  expect(await conversation.getUsageInfo()).toMatchObject({ models: {} });
  expect(await conversation.getAvailableModels()).toMatchObject({ models: [] });
  expect(await conversation.setEffort('high')).toBe(true);
  expect(await conversation.continueLastTurn()).toMatchObject({ accepted: false });
  await expect(conversation.sendControlRequest('set_output_flow', { paused: true })).rejects.toThrow(
    'Unknown control request subtype',
  );
  prompts.push(userMessage('go'));
  prompts.end();
  expect(results(await collect(conversation))).toMatchObject([{ result: 'one' }]);
  expect(fixture.asked.map(({ model }) => model)).toEqual(['the-other']);
});

test.each<[QueryOptions['systemPrompt'], string]>([
  ['You are a pirate.', '{"role":"system","content":"You are a pirate.'],
  [{ type: 'preset', preset: 'qwen_code', append: 'You are a pirate.' }, 'You are a pirate.'],
])('the system prompt %j reaches the model', { timeout: SLOW_START_MS }, async (systemPrompt, part) => {
  await using fixture = await openFixture(() => [says('Arr.')]);
  const messages = await collect(fixture.query('hi', { systemPrompt, effort: 'low' }));
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'Arr.' }]);
  expect(JSON.stringify(fixture.asked[0]?.messages[0])).toContain(part);
});

test('an option that this CLI would ignore is refused by name', { timeout: SLOW_START_MS }, async () => {
  await using fixture = await openFixture(() => [says('never')]);
  await expect(collect(fixture.query('hi', { budget: { turns: 3 } }))).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining('budget'),
  });
});

test('a refusal of the provider is a result with its text', { timeout: SLOW_START_MS }, async () => {
  verifies('FB9');
  await using fixture = await openFixture(() => [says('never')]);
  await using server = await startByteServer([
    { status: 401, headers: { 'content-type': 'application/json' }, chunks: ['{"error":{"message":"bad key"}}'] },
  ]);
  const env = { ...fixture.model.env, HOME: fixture.workspace.resolve('home'), OPENAI_BASE_URL: `${server.url}/v1` };
  expect(results(await collect(fixture.query('hi', { env })))).toMatchObject([
    { subtype: 'error_during_execution', is_error: true, error: { message: expect.stringContaining('401') } },
  ]);
});

test('the error for a missing session contains the text of its stderr', { timeout: SLOW_START_MS }, async () => {
  verifies('FB9');
  await using fixture = await openFixture(() => [says('never')]);
  const resume = '3f2b8c1e-6d4a-4b7e-9c58-0a1b2c3d4e5f';
  await expect(collect(fixture.query('hi', { resume }))).rejects.toMatchObject({
    code: 'process_exited',
    data: { stderrTail: expect.stringContaining(resume) },
  });
});
