import { MAX_QUEUED_PROMPTS, type SDKUserMessage } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { InputPump } from './input-pump.js';
import { toUserMessage } from './user-message.js';

async function* prompts(name: string, count: number): AsyncGenerator<SDKUserMessage> {
  for (let index = 0; index < count; index += 1) {
    yield toUserMessage(`${name} ${index}`);
  }
}

test('two sources that wait for room in the queue both continue', async () => {
  const sent: unknown[] = [];
  const pump = new InputPump({
    send: async ({ message }) => {
      sent.push(message.content);
      // The agent answers what it has once the queue is full.
      if (pump.unanswered >= MAX_QUEUED_PROMPTS) setImmediate(() => answerAll(pump));
    },
    onFinished: () => undefined,
  });
  pump.open();
  await Promise.all([
    pump.sendAll(prompts('first', MAX_QUEUED_PROMPTS)),
    pump.sendAll(prompts('second', MAX_QUEUED_PROMPTS)),
  ]);
  expect(sent).toHaveLength(2 * MAX_QUEUED_PROMPTS);
});

test('the queue holds no more than its limit with two sources', async () => {
  let most = 0;
  const pump = new InputPump({
    send: async () => {
      most = Math.max(most, pump.unanswered);
      if (pump.unanswered >= MAX_QUEUED_PROMPTS) setImmediate(() => pump.answered());
    },
    onFinished: () => undefined,
  });
  pump.open();
  await Promise.all([
    pump.sendAll(prompts('first', MAX_QUEUED_PROMPTS)),
    pump.sendAll(prompts('second', MAX_QUEUED_PROMPTS)),
  ]);
  expect(most).toBe(MAX_QUEUED_PROMPTS);
});

function answerAll(pump: InputPump): void {
  while (pump.unanswered > 0) pump.answered();
}

test('a source whose message is invalid is closed', async () => {
  const pump = new InputPump({ send: async () => undefined, onFinished: () => undefined });
  pump.open();
  const closed = Promise.withResolvers<string>();
  async function* source(): AsyncGenerator<SDKUserMessage> {
    try {
      yield JSON.parse('{"type":"user"}');
    } finally {
      closed.resolve('closed');
    }
  }
  await expect(pump.sendAll(source())).rejects.toMatchObject({ code: 'invalid_message' });
  expect(await closed.promise).toBe('closed');
});
