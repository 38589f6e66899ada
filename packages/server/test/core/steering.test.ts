import type { PublicEvent } from '@qwen/protocol/server';
import { calls, resourceBaseline, says } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { eventsUntil, ofType, type ServedCore, serveCore } from '../served-core.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const WAITS = calls({ name: 'run_shell_command', input: { command: 'while [ ! -e go ]; do sleep 0.05; done' } });

/** A session whose first turn runs a command until the file `go` exists. */
async function startWaiting({ sessions }: ServedCore) {
  const { id } = await sessions.create({ hasIncrements: false });
  const first = await sessions.send(id, { content: 'first' });
  await eventsUntil(sessions, id, ofType('agent.tool_use'));
  return { id, first };
}

const endOf = (turnId: string) => (event: PublicEvent) => event.type === 'turn.ended' && event.turn_id === turnId;

test('a running turn takes messages with priority, the urgent ones first; the others wait for their turn', async () => {
  await using served = await serveCore({ replies: [WAITS, says('done'), says('later')], approvalMode: 'yolo' });
  const { sessions, model, folder } = served;
  const { id, first } = await startWaiting(served);
  const later = await sessions.send(id, { content: 'LATER' });
  const next = await sessions.send(id, { content: 'NEXT', priority: 'next' });
  const now = await sessions.send(id, { content: 'NOW', priority: 'now' });
  await folder.write('go', '');
  const events = await eventsUntil(sessions, id, endOf(later.turnId));
  const story = events.flatMap((event) => {
    if (event.type === 'user.message_taken') return [`${event.turn_id} in ${event.taken_by_turn_id}`];
    return event.type === 'turn.ended' ? [`${event.turn_id} ${event.outcome}`] : [];
  });
  expect(story).toEqual([
    `${now.turnId} in ${first.turnId}`,
    `${next.turnId} in ${first.turnId}`,
    `${first.turnId} success`,
    `${later.turnId} success`,
  ]);
  const sent = model.requests.map(({ messages }) => JSON.stringify(messages));
  expect(sent).toHaveLength(3);
  expect(sent[1]).toMatch(/NOW.*NEXT/);
  expect(sent[1]).not.toContain('LATER');
  expect(sent[2]).toContain('LATER');
  expect(await sessions.status(id)).toBe('idle');
  await expect(sessions.cancel(next.requestId)).rejects.toMatchObject({ code: 'turn_not_found' });
});

test('a message with priority that no turn takes has its own turn, and a cancelled one reaches no model', async () => {
  await using served = await serveCore({ replies: [WAITS, says('second'), says('third')], approvalMode: 'yolo' });
  const { sessions, model } = served;
  const { id, first } = await startWaiting(served);
  const dropped = await sessions.send(id, { content: 'DROPPED', priority: 'now' });
  const kept = await sessions.send(id, { content: 'KEPT', priority: 'next' });
  await sessions.cancel(dropped.requestId);
  await sessions.cancel(first.requestId);
  const events = await eventsUntil(sessions, id, endOf(kept.turnId));
  expect(events.some(({ type }) => type === 'user.message_taken')).toBe(false);
  expect(events.findLast(endOf(first.turnId))).toMatchObject({ outcome: 'cancelled' });
  expect(events.at(-1)).toMatchObject({ outcome: 'success', result: 'second' });
  const idle = await sessions.send(id, { content: 'IDLE', priority: 'now' });
  await eventsUntil(sessions, id, endOf(idle.turnId));
  const last = JSON.stringify(model.requests.at(-1)?.messages);
  expect(last).toMatch(/KEPT.*IDLE/);
  expect(last).not.toContain('DROPPED');
});
