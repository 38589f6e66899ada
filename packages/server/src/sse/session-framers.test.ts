import { expect, test } from 'vitest';
import { createCloudFramer } from '../cloud/cloud-surface.js';
import { SessionFramers } from './session-framers.js';

const event = { seq: 7, type: 'agent.message', data: '{"type":"agent.message"}', atMs: 1 };

test('streams of one session share the bytes of an event; those of another contain its ID', () => {
  const framers = new SessionFramers(createCloudFramer);
  const [one, same, other] = [
    framers.of('00000000-0000-4000-8000-000000000001'),
    framers.of('00000000-0000-4000-8000-000000000001'),
    framers.of('00000000-0000-4000-8000-000000000002'),
  ];
  expect(same).toBe(one);
  const bytes = one.frame([{ kind: 'event', event }]);
  expect(same.frame([{ kind: 'event', event }])).toBe(bytes);
  expect(Buffer.from(bytes).toString()).toBe(
    'id: evt_0000000000000007\nevent: agent.message\n' +
      'data: {"seq":7,"id":"evt_0000000000000007","session_id":"sess_00000000000040008000000000000001","created_at":1,"type":"agent.message"}\n\n',
  );
  expect(Buffer.from(other.frame([{ kind: 'event', event }])).toString()).toContain('000002"');
});

test('the start of live events is not reported, but missing history is', () => {
  const framer = createCloudFramer('00000000-0000-4000-8000-000000000001');
  expect(framer.frame([{ kind: 'caught_up', seq: 7 }])).toHaveLength(0);
  expect(Buffer.from(framer.frame([{ kind: 'gap', fromSeq: 1, toSeq: 3 }])).toString()).toBe(
    'event: resync\ndata: {"type":"resync","from_seq":1,"to_seq":3}\n\n',
  );
});

test('readers at the same position share a row, others get a separate one', () => {
  const events = [1, 2, 3].map((seq) => ({ ...event, seq }));
  const items = events.map((one) => ({ kind: 'event', event: one }) as const);
  const framer = createCloudFramer('00000000-0000-4000-8000-000000000001');
  const row = framer.frame(items);
  expect(framer.frame([...items])).toBe(row);
  const idsOf = (bytes: Uint8Array) =>
    [
      ...Buffer.from(bytes)
        .toString()
        .matchAll(/^id: evt_0*(\d+)$/gm),
    ].map(([, id]) => id);
  expect(idsOf(row)).toEqual(['1', '2', '3']);
  expect(idsOf(framer.frame(items.slice(0, 2)))).toEqual(['1', '2']);
  expect(idsOf(framer.frame(items.slice(1)))).toEqual(['2', '3']);
  // What a reader of one thread gets begins and ends alike and is shorter.
  expect(idsOf(framer.frame(items.filter((_, index) => index !== 1)))).toEqual(['1', '3']);

  expect(Buffer.from(framer.frame([{ kind: 'gap', fromSeq: 0, toSeq: 0 }, ...items])).toString()).toContain('resync');
  expect(framer.frame(items)).toEqual(row);
});
