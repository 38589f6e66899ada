import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { partialAssistantMessageSchema } from './agent-messages.js';
import { isTextDelta } from './text-delta.js';

const line = {
  type: 'stream_event',
  uuid: 'u',
  session_id: 's',
  message_id: 'm',
  parent_tool_use_id: null,
  event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'word' } },
};

/** The line with some members left out or of another kind. */
const damaged = fc
  .record({
    top: fc.dictionary(fc.constantFrom(...Object.keys(line)), fc.jsonValue(), { maxKeys: 2 }),
    event: fc.dictionary(fc.constantFrom('type', 'index', 'delta'), fc.jsonValue(), { maxKeys: 1 }),
    delta: fc.dictionary(fc.constantFrom('type', 'text', 'more'), fc.jsonValue(), { maxKeys: 1 }),
  })
  .map(({ top, event, delta }) => ({
    ...line,
    event: { ...line.event, delta: { ...line.event.delta, ...delta }, ...event },
    ...top,
  }));

test('a text delta is recognized without the schema', () => {
  expect(isTextDelta(line)).toBe(true);
  expect(isTextDelta({ ...line, parent_tool_use_id: 'call_1', message_id: undefined, more: 1 })).toBe(true);
});

test('the schema accepts every text delta that it accepts, unchanged', () => {
  fc.assert(
    fc.property(damaged, (value) => {
      if (!isTextDelta(value)) return;
      expect(partialAssistantMessageSchema.parse(value)).toEqual(value);
    }),
    { numRuns: 2_000 },
  );
});

test('an index that is not finite is left to the schema', () => {
  expect(isTextDelta(JSON.parse(JSON.stringify(line).replace('"index":0', '"index":1e999')))).toBe(false);
});
