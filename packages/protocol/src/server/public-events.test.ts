import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { seqOfEventId, toEventId } from './event-id.js';
import { isIncrementType } from './increments.js';
import { EVENT_SCHEMAS, publicEventSchema } from './public-events.js';

const envelope = { seq: 7, id: toEventId(7), session_id: 'sess_1', created_at: 1 };
const place = { session_thread_id: 'thrd_1', turn_id: 'turn_1', message_id: 'asst_1', parent_tool_use_id: null };

test('exactly six types are increments', () => {
  verifies('R-21', 'R-34');
  expect(Object.keys(EVENT_SCHEMAS).filter((type) => isIncrementType(type))).toEqual([
    'agent.message_start',
    'agent.content_block_start',
    'agent.content_block_delta',
    'agent.content_block_stop',
    'agent.message_delta',
    'agent.message_stop',
  ]);
  expect(isIncrementType('tool_output_delta')).toBe(false);
});

test('reads the event of the document with all its members', () => {
  verifies('R-37');
  const event = {
    ...envelope,
    ...place,
    type: 'agent.message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null, container: null },
    usage: { input_tokens: 123, output_tokens: 45 },
  };
  expect(publicEventSchema.parse(event)).toEqual(event);
});

test('a type of a newer server passes, a known one with a missing member does not', () => {
  const unknown = { ...envelope, type: 'agent.from_the_future', more: [1] };
  expect(publicEventSchema.parse(unknown)).toEqual(unknown);
  expect(publicEventSchema.safeParse({ ...envelope, ...place, type: 'agent.message_delta' }).success).toBe(false);
  expect(publicEventSchema.safeParse({ ...place, type: 'agent.message_stop' }).success).toBe(false);
});

test('event IDs sort by number and contain it', () => {
  verifies('GAP-95', 'R-51');
  const seqs = [1, 9, 10, 99, 100, 12_345, Number.MAX_SAFE_INTEGER];
  const ids = seqs.map(toEventId);
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.map(seqOfEventId)).toEqual(seqs);
  for (const id of ['', '7', 'evt_', 'evt_7', `${toEventId(7)}\n`, 'evt_9999999999999999', 'evt_000000000000000x']) {
    expect(seqOfEventId(id)).toBeUndefined();
  }
});
