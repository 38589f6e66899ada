import { expect, test } from 'vitest';
import { call, calling, createTestSession, saying, tool } from '../../test/scripted-engine.js';

test('output that a tool shows while the reader is busy comes before its result', async () => {
  const isBusy = Promise.withResolvers<void>();
  const look = tool('look', {
    execute: async (_input, { emit }) => {
      await isBusy.promise;
      emit('shown');
      return { content: 'done' };
    },
  });
  const { session } = createTestSession([calling(call('c1', 'look')), saying('ok')], { tools: [look] });
  session.submit({ uuid: 'u', content: 'go' });
  session.endInput();
  const types: string[] = [];
  for await (const event of session.events()) {
    if (event.type.startsWith('tool_')) types.push(event.type);
    if (event.type !== 'tool_start') continue;
    isBusy.resolve();
    // By the next iteration, everything that the tool caused has happened.
    for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(types).toEqual(['tool_pending', 'tool_start', 'tool_delta', 'tool_end']);
});
