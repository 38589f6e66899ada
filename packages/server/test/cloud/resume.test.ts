import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openCloudFixture } from '../cloud-fixture.js';
import { type Frame, framesUntil } from '../event-frames.js';

const WORDS = 'A word and another one. '.repeat(40);

test('a turn ends without listeners, and later readers receive all of it', async () => {
  verifies('T18', 'F126');
  await using fixture = await openCloudFixture({ replies: [says(WORDS)], pace: { tokensPerSecond: 500 } });
  const sessionId = await fixture.newSession();
  const path = `/sessions/${sessionId}/events/stream`;
  const stream = await fixture.follow(path);
  await fixture.say(sessionId, 'go');
  await framesUntil(stream, 'agent.content_block_delta');
  // The only connection there was.
  await stream.return();
  const frames = await framesUntil(await fixture.follow(path, '0'), 'session.status_idle');
  expect(textOf(frames)).toBe(WORDS);
  expect(frames.map(({ event }) => event)).toContain('turn.ended');
});

test('an interrupted stream resumes after a restart: each event arrives once, and missing history is reported once', {
  timeout: 60_000,
}, async () => {
  verifies('FB25', 'F119', 'F120');
  await using fixture = await openCloudFixture({ replies: [says(WORDS)] });
  const sessionId = await fixture.newSession();
  const path = `/sessions/${sessionId}/events/stream`;
  const first = await fixture.follow(path);
  await fixture.say(sessionId, 'go');
  const seen = [...(await framesUntil(first, 'agent.content_block_delta'))];
  await first.return();
  const whole = await framesUntil(await fixture.follow(path, '0'), 'session.status_idle');
  await fixture.restart();
  const rest = await framesUntil(await fixture.follow(path, seen.at(-1)?.id), 'session.status_idle');
  expect([...seen, ...rest]).toEqual(whole);
  expect(whole.every(({ id }) => id !== '')).toBe(true);
  expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);

  await fixture.restart({ log: { retention: { maxEvents: 10 } } });
  // The next turn drops what is too old.
  await fixture.say(sessionId, 'again');
  const newest = await fixture.follow(path);
  await framesUntil(newest, 'session.status_idle');
  const late = await framesUntil(await fixture.follow(path, seen.at(-1)?.id), 'session.status_idle');
  const notices = late.filter(({ event }) => event === 'resync');
  expect(notices).toHaveLength(1);
  expect(late[0]).toBe(notices[0]);
});

function textOf(frames: readonly Frame[]): string {
  return frames
    .filter(({ event }) => event === 'agent.content_block_delta')
    .map(({ data }) => Object(data['delta']).text)
    .join('');
}
