import { says, startScriptedModel, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { FaithfulReader } from './faithful-reader.ts';
import { MortalServer } from './mortal-server.ts';

/** Deaths in the middle of a turn; 1,000 in a nightly run. */
const ROUNDS = Number(process.env['QWEN_TEST_KILL_ROUNDS'] ?? 50);
const MS_A_ROUND = 10_000;

test(`a server killed during a turn, ${ROUNDS} times: no event is lost or repeated, and the session continues`, {
  timeout: 60_000 + ROUNDS * MS_A_ROUND,
}, async () => {
  verifies('F119', 'F118', 'R-50', 'GAP-95', 'GAP-96');
  await using home = await temporaryFolder();
  let isLast = false;
  const reply = () => says(isLast ? 'alive' : 'word '.repeat(4000));
  await using model = await startScriptedModel([reply], { tokensPerSecond: 200 });
  let sessionId: string | undefined;
  let reader: FaithfulReader | undefined;
  const say = { events: [{ type: 'user.message', content: 'go on' }] };
  for (let round = 1; round <= ROUNDS; round += 1) {
    await using server = await MortalServer.start({ home, model });
    sessionId ??= String((await server.post('/sessions', { incremental_streaming_enabled: true }))['id']);
    reader ??= new FaithfulReader(sessionId);
    const turnId = turnOf(await server.post(`/sessions/${sessionId}/events`, say));
    // Anywhere from the start of the turn to somewhere in its answer.
    let left = 4 + (round % 40);
    const wasEnough = await reader.read(server, ({ text }) => {
      if (JSON.parse(text).turn_id === turnId) left -= 1;
      return left <= 0;
    });
    expect(wasEnough).toBe(true);
  }
  if (sessionId === undefined || reader === undefined) throw new Error('no round');

  await using server = await MortalServer.start({ home, model });
  isLast = true;
  await server.post(`/sessions/${sessionId}/events`, say);
  await reader.read(server, untilIdleAgain());
  const { events } = reader;
  expect(events.map(({ text }) => Object(JSON.parse(text)).seq)).toEqual(events.map((_, index) => index + 1));
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  // A new reader gets the same history as this one saw live.
  const again = new FaithfulReader(sessionId);
  await again.read(server, untilIdleAgain());
  expect(again.events.slice(0, events.length)).toEqual(events);
  const count = (wanted: string) => events.filter(({ type }) => type === wanted).length;
  expect(count('user.message')).toBe(ROUNDS + 1);
  expect(count('turn.interrupted')).toBe(ROUNDS);
  expect(count('turn.ended')).toBe(1);
  expect(count('agent.message_start')).toBe(count('agent.message_stop'));
  expect(count('agent.content_block_start')).toBe(count('agent.content_block_stop'));
  const end = events.find(({ type }) => type === 'turn.ended');
  expect(JSON.parse(end?.text ?? '')).toMatchObject({ outcome: 'success', result: 'alive' });
});

/** Up to the last event of the first turn that came to its own end. */
function untilIdleAgain(): (event: { readonly type: string }) => boolean {
  let hasEnded = false;
  return ({ type }) => {
    hasEnded ||= type === 'turn.ended';
    return hasEnded && type === 'session.status_idle';
  };
}

/** The turn that a posted message has become. */
function turnOf({ data }: Readonly<Record<string, unknown>>): string {
  const [stored] = Array.isArray(data) ? data : [];
  return String(Object(stored).turn_id);
}
