import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { Configuration } from '../config/load-config.js';
import type { SessionChoice } from '../config/session-choice.js';
import type { LiveSession } from './live-session.js';
import { SessionPool } from './session-pool.js';

/** A session as far as the pool looks at it. */
function openPool(maxOpen: number, maxAsleep?: number, sessionsDirectory = '/nowhere') {
  const happenings: string[] = [];
  const busy = new Set<string>();
  const create = ({ kind, sessionId }: SessionChoice): LiveSession => {
    happenings.push(`${kind} ${sessionId}`);
    let isAsleep = false;
    const session: Pick<LiveSession, 'sessionId' | 'isIdle' | 'isAsleep' | 'isStored' | 'sleep'> = {
      sessionId,
      get isIdle() {
        return !busy.has(sessionId);
      },
      get isAsleep() {
        return isAsleep;
      },
      get isStored() {
        return isAsleep;
      },
      sleep: async () => {
        isAsleep = true;
        happenings.push(`sleep ${sessionId}`);
      },
    };
    return session as LiveSession;
  };
  const configuration = { sessionsDirectory } as Configuration;
  const first = { kind: 'new', sessionId: 'first' } as const;
  const onRest = ({ sessionId }: LiveSession, extent: string) => happenings.push(`${extent} ${sessionId}`);
  const pool = new SessionPool({ configuration, first, create, maxOpen, onRest, ...(maxAsleep && { maxAsleep }) });
  return { pool, happenings, busy };
}

test('the first request without an ID takes the initial session, each later one a new one', () => {
  verifies('E-05', 'CF-20');
  const { pool } = openPool(64);
  expect(pool.take(undefined).sessionId).toBe('first');
  expect(pool.take('_new').sessionId).not.toBe('first');
  expect(pool.running(undefined)).toBe(pool.latest);
  expect(pool.running('nobody')).toBeUndefined();
  const named = pool.take('named');
  expect(pool.running(undefined)).toBe(named);
  pool.take('other');
  pool.take('named');
  expect(pool.running('_new')).toBe(named);
});

test('beyond the limit the session idle for longest is suspended; a working one is not', () => {
  verifies('A-18');
  const { pool, happenings, busy } = openPool(2);
  busy.add('a');
  for (const name of ['a', 'b', 'c', 'd']) pool.take(name);
  expect(happenings.filter((one) => one.startsWith('sleep'))).toEqual(['sleep first', 'sleep b', 'sleep c']);
});

test('up to the limit no session is suspended', () => {
  verifies('GAP-09');
  const { pool, happenings } = openPool(3);
  for (const name of ['a', 'b', 'a']) pool.take(name);
  expect(happenings).toEqual(['new first', 'new a', 'new b']);
});

test.each(['../x', 'a/b', 'a\\b', '.x', '-x', 'a b', 'x'.repeat(129), 'CON', 'lpt1'])(
  '"%s" is not a session ID',
  (name) => {
    verifies('CF-64', 'S31');
    const { pool, happenings } = openPool(64);
    expect(() => pool.take(name)).toThrow(expect.objectContaining({ code: 'invalid_message' }));
    expect(happenings).toEqual(['new first']);
  },
);

test('beyond the limit of suspended sessions the oldest is forgotten, and created again on demand', () => {
  verifies('A-18', 'GAP-09');
  const { pool, happenings } = openPool(1, 2);
  for (const name of ['a', 'b', 'c', 'd']) pool.take(name);
  expect(happenings.filter((one) => one.startsWith('forgotten'))).toEqual(['forgotten first', 'forgotten a']);
  expect(pool.all.map(({ sessionId }) => sessionId)).toEqual(['b', 'c', 'd']);
  const [old] = pool.all;
  expect(pool.take('b')).toBe(old);
  expect(pool.take('a').sessionId).toBe('a');
  expect(happenings.filter((one) => one === 'new a')).toHaveLength(2);
  expect(pool.take(undefined).sessionId).not.toBe('first');
});

test('stored sessions are resumed: those of qwen, and those of qwen-code next to them', async () => {
  await using folder = await temporaryFolder();
  const id = '11111111-2222-4333-8444-555555555555';
  await folder.write('sessions/own.jsonl', '');
  await folder.write(`projects/-w/chats/${id}.jsonl`, '');
  const { pool, happenings } = openPool(64, undefined, folder.resolve('sessions'));
  for (const name of ['own', id, 'other']) pool.take(name);
  expect(happenings).toEqual(['new first', 'resume own', `resume ${id}`, 'new other']);
});
