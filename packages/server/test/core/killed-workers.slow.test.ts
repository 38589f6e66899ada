import { fileURLToPath } from 'node:url';
import type { PublicEvent } from '@qwen/protocol/server';
import { hasRedisServer, isolatedEnvironment, RedisServer, says, startLineProcess, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { KILL_ROUNDS } from '../killed-writers.js';
import { eventsUntil, serveCore } from '../served-core.js';

const PROGRAM = fileURLToPath(new URL('../programs/play-turns.js', import.meta.url));
const ROUNDS = Math.ceil(KILL_ROUNDS / 10);

const isEndOf = (turnId: string) => (event: PublicEvent) => event.type === 'turn.ended' && event.turn_id === turnId;

test.runIf(hasRedisServer)(
  `workers killed during a turn, ${ROUNDS} times: each turn has one end, no event is lost or repeated`,
  {
    timeout: 60_000 + ROUNDS * 20_000,
  },
  async () => {
    verifies('F118', 'F119');
    await using redis = await RedisServer.start();
    // A session without a turn that ends is given up after three workers.
    let isShort = false;
    const reply = () => says(isShort ? 'alive' : 'word '.repeat(4000));
    await using front = await serveCore({
      place: redis.url,
      role: 'front',
      replies: [reply],
      model: { tokensPerSecond: 200 },
    });
    const { sessions } = front;
    const session = await sessions.create({ hasIncrements: true });
    const startWorker = async (machine: number) => {
      const home = front.folder.resolve(`machine-${machine % 2}`);
      const env = isolatedEnvironment(home, front.model.env);
      const worker = await startLineProcess({ command: process.execPath, args: [PROGRAM, redis.url], env });
      await worker.next(() => true);
      return worker;
    };
    let seen = 0;
    let killed = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      isShort = round % 2 === 0;
      await using worker = await startWorker(round);
      const { turnId } = await sessions.send(session.id, { content: `round ${round}` });
      // Anywhere between the start of the turn and its answer.
      let left = 3 + ((round * 7) % 40);
      const isEnough = (event: PublicEvent) => {
        if (event.turn_id === turnId) left -= 1;
        return isShort ? isEndOf(turnId)(event) : left <= 0;
      };
      seen = (await eventsUntil(sessions, session.id, isEnough, seen)).at(-1)?.seq ?? seen;
      if (isShort) {
        // It runs in the next job, so the first one has completed.
        const between = await sessions.send(session.id, { content: 'between' });
        seen = (await eventsUntil(sessions, session.id, isEndOf(between.turnId), seen)).at(-1)?.seq ?? seen;
      }
      process.kill(worker.pid, 'SIGKILL');
      await worker.exited;
      if (!isShort) killed += 1;
    }
    isShort = true;
    await using _worker = await startWorker(0);
    const last = await sessions.send(session.id, { content: 'the last one' });
    const events = await eventsUntil(sessions, session.id, isEndOf(last.turnId));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const count = (wanted: string) => events.filter(({ type }) => type === wanted).length;
    const ran = ROUNDS - killed;
    expect(count('user.message')).toBe(ROUNDS + ran + 1);
    expect(count('turn.started')).toBe(ROUNDS + ran + 1);
    expect(count('turn.interrupted')).toBe(killed);
    expect(count('turn.ended')).toBe(2 * ran + 1);
    expect(count('agent.message_start')).toBe(count('agent.message_stop'));
    expect(count('agent.content_block_start')).toBe(count('agent.content_block_stop'));
    expect(events.at(-1)).toMatchObject({ outcome: 'success', result: 'alive' });
    expect(JSON.stringify(front.model.requests.at(-1)?.messages)).toContain('round 1');
  },
);
