import { AsyncQueue } from '@qwen/protocol';
import { says, verifies } from '@qwen/testkit';
import type { SDKUserMessage } from '@qwen-code/sdk';
import { expect, test } from 'vitest';
import { collect, type Fixture, openFixture, results, userMessage, writesNote } from './fixture.ts';

/** A conversation that waits for its first prompt until `begin`. */
function waiting(fixture: Fixture) {
  const begun = Promise.withResolvers<void>();
  async function* prompts() {
    await begun.promise;
    yield userMessage('go');
  }
  return { conversation: fixture.query(prompts()), begin: () => begun.resolve() };
}

test('setModel applies from the next model call', async () => {
  verifies('M-27', 'M-34', 'O-07');
  await using fixture = await openFixture(() => [says('one'), says('two')]);
  const switched = Promise.withResolvers<void>();
  async function* prompts() {
    yield userMessage('first');
    await switched.promise;
    yield userMessage('second');
  }
  const conversation = fixture.query(prompts());
  for await (const message of conversation) {
    if (message.type !== 'result' || fixture.model.requests.length > 1) continue;
    await conversation.setModel('another-model');
    switched.resolve();
  }
  expect(fixture.model.requests.map((request) => request.model)).toEqual(['scripted', 'another-model']);
});

test('setPermissionMode applies from the next decision', async () => {
  verifies('M-45', 'M-54', 'M-57', 'O-10');
  await using fixture = await openFixture((workspace) => [
    writesNote(workspace),
    says('denied'),
    writesNote(workspace),
    says('written'),
  ]);
  const switched = Promise.withResolvers<void>();
  async function* prompts() {
    yield userMessage('first');
    await switched.promise;
    yield userMessage('second');
  }
  const asked: string[] = [];
  const conversation = fixture.query(prompts(), {
    canUseTool: async (name) => {
      asked.push(name);
      return { behavior: 'deny', message: 'no' };
    },
  });
  for await (const message of conversation) {
    if (message.type !== 'result' || fixture.model.requests.length > 2) continue;
    await conversation.setPermissionMode('yolo');
    switched.resolve();
  }
  expect(asked).toEqual(['write_file']);
  expect(await fixture.workspace.read('note.txt')).toBe('written');
});

test('questions about commands and MCP servers are answered', async () => {
  verifies('M-36', 'M-62', 'O-08', 'O-11');
  await using fixture = await openFixture(() => [says('one')]);
  const { conversation, begin } = waiting(fixture);
  expect(await conversation.supportedCommands()).toMatchObject({ commands: expect.any(Array) });
  expect(await conversation.mcpServerStatus()).toBeTypeOf('object');
  begin();
  expect(results(await collect(conversation))).toHaveLength(1);
});

test('interrupt with nothing running does nothing', async () => {
  verifies('GAP-46');
  await using fixture = await openFixture(() => [says('one')]);
  const { conversation, begin } = waiting(fixture);
  await conversation.interrupt();
  begin();
  expect(results(await collect(conversation))).toMatchObject([{ subtype: 'success', result: 'one' }]);
});

test('a refused request rejects, and the conversation continues', async () => {
  verifies('M-06', 'M-29');
  await using fixture = await openFixture(() => [says('one')]);
  const { conversation, begin } = waiting(fixture);
  await expect(conversation.setModel('')).rejects.toThrow('expected the name of a model');
  begin();
  expect(results(await collect(conversation))).toMatchObject([{ result: 'one' }]);
});

test('after close every method rejects, isClosed returns true and the loop ends', async () => {
  await using fixture = await openFixture(() => [says('one')]);
  const input = new AsyncQueue<SDKUserMessage>();
  const conversation = fixture.query(input);
  await conversation.initialized;
  expect(conversation.isClosed()).toBe(false);
  await conversation.close();
  expect(conversation.isClosed()).toBe(true);
  await expect(conversation.supportedCommands()).rejects.toThrow('Query is closed');
  expect(await collect(conversation)).toEqual([]);
  input.end();
});

test('getContextUsage, getUsageInfo and getAvailableModels describe the session', async () => {
  await using fixture = await openFixture(() => [says('one'), says('two')]);
  const answered = Promise.withResolvers<void>();
  async function* prompts() {
    yield userMessage('first');
    await answered.promise;
    yield userMessage('second');
  }
  const conversation = fixture.query(prompts());
  for await (const message of conversation) {
    if (message.type !== 'result' || fixture.model.requests.length > 1) continue;
    expect(await conversation.getContextUsage()).toMatchObject({
      modelName: 'scripted',
      totalTokens: expect.any(Number),
    });
    expect(await conversation.getContextUsage(true)).toMatchObject({ categories: expect.any(Array) });
    expect(await conversation.getUsageInfo('today')).toMatchObject({ turns: 1, models: { scripted: { calls: 1 } } });
    expect(await conversation.getAvailableModels()).toMatchObject({ current: 'scripted', models: expect.any(Array) });
    answered.resolve();
  }
});

test('setEffort and the option effort reach the model, and their status is understood', async () => {
  await using fixture = await openFixture(() => [says('one')]);
  const begun = Promise.withResolvers<void>();
  async function* prompts() {
    await begun.promise;
    yield userMessage('go');
  }
  const conversation = fixture.query(prompts(), { effort: 'low', model: 'gpt-5' });
  await conversation.initialized;
  expect(conversation.getInitialEffortStatus()).toMatchObject({ applied: true });
  expect(await conversation.setEffort('high')).toBe(true);
  expect(await conversation.setEffortStatus('medium')).toMatchObject({ applied: true, override: null });
  begun.resolve();
  expect(results(await collect(conversation))).toMatchObject([{ result: 'one' }]);
  expect(fixture.model.requests[0]).toMatchObject({ reasoning_effort: 'medium' });
});

test('continueLastTurn reports that there is no turn to resume', async () => {
  await using fixture = await openFixture(() => [says('one')]);
  const { conversation, begin } = waiting(fixture);
  expect(await conversation.continueLastTurn()).toMatchObject({ accepted: false, reason: expect.any(String) });
  begin();
  expect(results(await collect(conversation))).toMatchObject([{ result: 'one' }]);
});
