import { AsyncQueue } from '@qwen/protocol';
import type { SDKUserMessage } from '@qwen/sdk';
import { calls, lastText, says, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { collect, results, userMessage } from '../../spine/fixture.ts';
import { openFixture, SLOW_START_MS } from './fixture.ts';

test('a query with one prompt leaves nothing behind', { timeout: SLOW_START_MS }, async () => {
  verifies('FB6');
  await using fixture = await openFixture(() => [says('Hello from the model.')]);
  const conversation = fixture.query('hi');
  const messages = await collect(conversation);
  expect(messages[0]).toMatchObject({ type: 'system', subtype: 'init', session_id: conversation.sessionId });
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'Hello from the model.' }]);
  await waitUntilGone(conversation.pid ?? 0, { deadlineMs: 2_000 });
});

test('three concurrent prompts get three answers while the input stays open', { timeout: SLOW_START_MS }, async () => {
  verifies('FB1', 'FB7', 'FB11');
  await using fixture = await openFixture((workspace) => [
    says('one'),
    calls({ name: 'write_file', input: { file_path: workspace.resolve('note.txt'), content: 'late' } }),
    says('two'),
    (request) => says(lastText(request)),
  ]);
  async function* prompts() {
    yield userMessage('first');
    yield userMessage('second');
    // A raw U+2028 in a line would end this CLI.
    yield userMessage('line\u2028paragraph\u2029end');
  }
  const asked: string[] = [];
  const messages = await collect(
    fixture.query(prompts(), {
      canUseTool: (name, updatedInput) => {
        asked.push(name);
        return { behavior: 'allow', updatedInput };
      },
    }),
  );
  expect(asked).toEqual(['write_file']);
  expect(await fixture.workspace.read('note.txt')).toBe('late');
  expect(results(messages).map(({ result }) => result)).toEqual([
    'one',
    'two',
    expect.stringContaining('line\u2028paragraph\u2029end'),
  ]);
});

test('partial messages add up to the complete one', { timeout: SLOW_START_MS }, async () => {
  verifies('FB16');
  await using fixture = await openFixture(() => [says('An answer that comes in several pieces.')]);
  const messages = await collect(fixture.query('hi', { includePartialMessages: true }));
  const text = messages.map((message) =>
    message.type === 'stream_event' &&
    message.event.type === 'content_block_delta' &&
    message.event.delta.type === 'text_delta'
      ? message.event.delta.text
      : '',
  );
  expect(text.join('')).toBe('An answer that comes in several pieces.');
});

test('an interrupted answer is followed by an answer to the next prompt', { timeout: SLOW_START_MS }, async () => {
  verifies('FB8');
  await using fixture = await openFixture(() => [
    calls({ name: 'run_shell_command', input: { command: 'sleep 60', is_background: false } }),
    says('and on'),
  ]);
  const prompts = new AsyncQueue<SDKUserMessage>();
  prompts.push(userMessage('first'));
  const conversation = fixture.query(prompts, { permissionMode: 'yolo' });
  const ends: string[] = [];
  for await (const message of conversation) {
    if (message.type === 'assistant' && ends.length === 0) {
      await conversation.interrupt();
    }
    if (message.type !== 'result') continue;
    ends.push(message.subtype);
    if (ends.length === 1) prompts.push(userMessage('second'));
    else prompts.end();
  }
  expect(ends).toHaveLength(2);
  expect(ends[1]).toBe('success');
});

test('break also ends its process', { timeout: SLOW_START_MS }, async () => {
  verifies('FB6');
  await using fixture = await openFixture(() => [says('one')]);
  const conversation = fixture.query('hi');
  for await (const message of conversation) if (message.type === 'system') break;
  await waitUntilGone(conversation.pid ?? 0, { deadlineMs: 2_000 });
  expect(conversation.isClosed()).toBe(true);
});

test('resume and fork report the session ID of the wire', { timeout: SLOW_START_MS }, async () => {
  verifies('FB18');
  await using fixture = await openFixture(() => [says('one'), says('two'), says('three')]);
  const first = fixture.query('first');
  await collect(first);
  const resumed = fixture.query('second', { resume: first.getSessionId() });
  expect(results(await collect(resumed))).toMatchObject([{ session_id: first.getSessionId(), result: 'two' }]);
  const forked = fixture.query('third', { resume: first.getSessionId(), forkSession: true });
  const [result] = results(await collect(forked));
  expect(result).toMatchObject({ result: 'three', session_id: forked.getSessionId() });
  expect(forked.getSessionId()).not.toBe(first.getSessionId());
  expect(JSON.stringify(fixture.asked.at(-1)?.messages)).toContain('second');
});
