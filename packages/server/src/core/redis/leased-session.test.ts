import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LeasedSession, type LeasedSessionOptions } from './leased-session.js';

test('a session that waits for its next attempt ends as soon as it shall finish', async () => {
  const failed = Promise.withResolvers<void>();
  const session = new LeasedSession({
    lease: { sessionId: 's', fence: 1 },
    takenAtMs: 0,
    conversation: { restore: () => Promise.reject(new Error('disk full')) },
    worker: { abandon: () => Promise.resolve() },
    onNotice: () => failed.resolve(),
  } as unknown as LeasedSessionOptions);
  await failed.promise;
  session.finish();
  expect(await Promise.race([session.done, delay(100, 'still waiting')])).toBeUndefined();
});
