import { AsyncQueue } from '@qwen/protocol';
import { says, startByteServer, temporaryFolder, verifies } from '@qwen/testkit';
import {
  isSDKAssistantMessage,
  isSDKPartialAssistantMessage,
  isSDKResultMessage,
  isSDKSystemMessage,
  isSDKUserMessage,
  query,
  type SDKMessage,
  type SDKUserMessage,
} from '@qwen-code/sdk';
import { expect, test } from 'vitest';
import { collect, openFixture, results, stageOptions, userMessage, writesNote } from './fixture.ts';

test('a single turn returns an answer', async () => {
  verifies('P-01', 'P-10', 'O-53');
  await using fixture = await openFixture(() => [says('Hello from the model.')]);
  const messages = await collect(fixture.query('hi'));
  expect(messages[0]).toMatchObject({ type: 'system', subtype: 'init', model: 'scripted' });
  expect(messages.find((message) => message.type === 'assistant')).toMatchObject({
    message: { role: 'assistant', content: [{ type: 'text', text: 'Hello from the model.' }] },
  });
  expect(messages.at(-1)).toMatchObject({ type: 'result', subtype: 'success', result: 'Hello from the model.' });
});

test('several turns share one conversation', async () => {
  verifies('F26');
  await using fixture = await openFixture(() => [says('one'), says('two')]);
  const answered = Promise.withResolvers<void>();
  async function* prompts() {
    yield userMessage('first');
    await answered.promise;
    yield userMessage('second');
  }
  const seen: string[] = [];
  for await (const message of fixture.query(prompts())) {
    if (message.type !== 'result') continue;
    seen.push(message.subtype === 'success' ? message.result : message.subtype);
    answered.resolve();
  }
  expect(seen).toEqual(['one', 'two']);
  expect(fixture.model.requests[1]?.messages.map((message) => message.role).slice(-3)).toEqual([
    'user',
    'assistant',
    'user',
  ]);
});

test('with two concurrent prompts the input ends after the first result, and both are answered', async () => {
  verifies('FB7', 'F26');
  await using fixture = await openFixture(() => [says('one'), says('two')]);
  async function* prompts() {
    yield userMessage('first');
    yield userMessage('second');
  }
  expect(results(await collect(fixture.query(prompts())))).toMatchObject([{ result: 'one' }, { result: 'two' }]);
});

test('streamInput adds prompts, endInput ends them', async () => {
  await using fixture = await openFixture(() => [says('one'), says('two')]);
  const prompts = new AsyncQueue<SDKUserMessage>();
  async function* more() {
    yield userMessage('first');
  }
  const conversation = fixture.query(prompts);
  await conversation.streamInput(more());
  expect(results(await collect(conversation))).toMatchObject([{ result: 'one' }]);
  expect(() => conversation.endInput()).not.toThrow();
  await conversation.close();
  expect(() => conversation.endInput()).toThrow('closed');
  prompts.end();
});

test('partial messages arrive on request, in order, and add up to the complete message', async () => {
  verifies('FB16', 'P-08');
  await using fixture = await openFixture(() => [says('A somewhat longer answer in pieces.'), says('second')]);
  const messages = await collect(fixture.query('hi', { includePartialMessages: true }));
  const events = messages.filter(isSDKPartialAssistantMessage).map(({ event }) => event);
  expect(events[0]?.type).toBe('message_start');
  expect(events.at(-1)?.type).toBe('message_stop');
  const text = events.map((event) =>
    event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : '',
  );
  expect(text.filter((piece) => piece !== '').length).toBeGreaterThan(1);
  expect(text.join('')).toBe('A somewhat longer answer in pieces.');
  expect((await collect(fixture.query('again'))).some(isSDKPartialAssistantMessage)).toBe(false);
});

test('its type guards recognize all of its messages', async () => {
  verifies('FB13');
  await using fixture = await openFixture((workspace) => [writesNote(workspace), says('done')]);
  const messages = await collect(
    fixture.query('write', { includePartialMessages: true, permissionMode: 'yolo', debug: false }),
  );
  const guards = [
    isSDKUserMessage,
    isSDKAssistantMessage,
    isSDKSystemMessage,
    isSDKResultMessage,
    isSDKPartialAssistantMessage,
  ];
  const known = messages.map((message) => guards.filter((guard) => guard(message)).length);
  expect(known.every((count) => count === 1)).toBe(true);
  for (const guard of guards) expect(messages.some((message) => guard(message))).toBe(true);
});

test('interrupt stops the turn, and the conversation continues', async () => {
  verifies('M-24', 'M-25', 'F48', 'FB8');
  await using workspace = await temporaryFolder();
  const event = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  await using server = await startByteServer([
    { chunks: [event({ role: 'assistant', content: 'I start ' })], ending: 'hang' },
    { chunks: [event({ role: 'assistant', content: 'and go on' }), event({}, 'stop'), 'data: [DONE]\n\n'] },
  ]);
  const interrupted = Promise.withResolvers<void>();
  async function* prompts() {
    yield userMessage('first');
    await interrupted.promise;
    yield userMessage('second');
  }
  const model = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-scripted', OPENAI_MODEL: 'scripted' };
  const conversation = query({
    prompt: prompts(),
    options: { ...stageOptions(workspace, model), includePartialMessages: true },
  });
  const seen: SDKMessage[] = [];
  for await (const message of conversation) {
    const isDelta = message.type === 'stream_event' && message.event.type === 'content_block_delta';
    if (isDelta && server.requests.length === 1) await conversation.interrupt();
    if (message.type === 'result') interrupted.resolve();
    seen.push(message);
  }
  expect(results(seen)).toHaveLength(2);
  expect(results(seen)[1]).toMatchObject({ subtype: 'success', result: 'and go on' });
});
