import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startLineProcess, temporaryFolder, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { newSession } from '../../../test/records.js';
import { createFileStore } from '../file-store.js';
import { ownIdentity } from './process-identity.js';
import { acquireLock } from './session-lock.js';

const SINCE = '2030-01-01T00:00:00.000Z';
const HOLD_SESSION = fileURLToPath(new URL('../../../test/programs/hold-session.js', import.meta.url));

const holder = (directory: string, sessionId: string) =>
  startLineProcess({ command: process.execPath, args: [HOLD_SESSION, directory, sessionId] });

async function closedSession(directory: string): Promise<string> {
  const { sessionId, log } = await createFileStore({ directory }).create(newSession());
  await log.close();
  return sessionId;
}

const owner = (members: object) =>
  JSON.stringify({ pid: process.pid, start_time: null, since: SINCE, nonce: 'n', ...members });

test('a second writer learns who holds the session and gets it after the release', async () => {
  verifies('F90');
  await using folder = await temporaryFolder();
  const path = folder.resolve('lock');
  const lock = await acquireLock(path, SINCE);
  await expect(acquireLock(path, SINCE)).rejects.toMatchObject({
    code: 'session_busy',
    data: { pid: process.pid, since: SINCE },
  });
  await lock.release();
  const again = await acquireLock(path, SINCE);
  // A former owner cannot release the lock of the next one.
  await lock.release();
  await expect(acquireLock(path, SINCE)).rejects.toMatchObject({ code: 'session_busy' });
  await again.release();
  expect(await readdir(folder.path)).toEqual([]);
});

test('stale locks are taken over: a missing process, a reused pid, a damaged file', async () => {
  verifies('F91');
  await using folder = await temporaryFolder();
  await using dead = await holder(folder.path, 'none');
  dead.kill();
  await dead.exited;
  const { startTime } = ownIdentity();
  const stale = [owner({ pid: dead.pid }), '', '{"pid":', ...(startTime === null ? [] : [owner({ start_time: '1' })])];
  for (const text of stale) {
    const path = await folder.write('lock', text);
    const lock = await acquireLock(path, SINCE);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid, start_time: startTime });
    await lock.release();
  }
  expect(await readdir(folder.path)).toEqual([]);
});

test('an incomplete take-over is taken over as well', async () => {
  verifies('F91');
  await using folder = await temporaryFolder();
  const path = await folder.write('lock', owner({ pid: 2 ** 22 + 1, nonce: 'first' }));
  await folder.write('lock.first', owner({ pid: 2 ** 22 + 1, nonce: 'second' }));
  const lock = await acquireLock(path, SINCE);
  await lock.release();
  expect(await readdir(folder.path)).toEqual([]);
});

test('repeated incomplete take-overs keep file names short', async () => {
  verifies('F91');
  await using folder = await temporaryFolder();
  const nonces = Array.from({ length: 20 }, () => crypto.randomUUID());
  for (const [index, nonce] of nonces.entries()) {
    const name = index === 0 ? 'lock' : `lock.${nonces[index - 1]}`;
    await folder.write(name, owner({ pid: 2 ** 22 + 1, nonce }));
  }
  const lock = await acquireLock(folder.resolve('lock'), SINCE);
  await lock.release();
  expect(await readdir(folder.path)).toEqual([]);
});

test('a session whose owner was killed opens immediately', async () => {
  verifies('F91');
  await using folder = await temporaryFolder();
  const sessionId = await closedSession(folder.path);
  await using owning = await holder(folder.path, sessionId);
  await owning.next({ ready: owning.pid });
  owning.write('\n');
  await owning.next({ opened: owning.pid });
  const store = createFileStore({ directory: folder.path });
  await expect(store.open(sessionId)).rejects.toMatchObject({ code: 'session_busy', data: { pid: owning.pid } });
  owning.kill();
  await waitUntilGone(owning.pid);
  const { log } = await store.open(sessionId);
  await log.close();
});

test('of two processes that open one session at the same time exactly one wins, fifty times', async () => {
  verifies('F90');
  await using folder = await temporaryFolder();
  const sessionId = await closedSession(folder.path);
  await using left = await holder(folder.path, sessionId);
  await using right = await holder(folder.path, sessionId);
  await Promise.all([left.next({ ready: left.pid }), right.next({ ready: right.pid })]);
  for (let round = 0; round < 50; round += 1) {
    // Every other round starts with the lock of a dead owner, so that both race to take it over.
    if (round % 2 === 1) await folder.write(`${sessionId}.lock`, owner({ pid: 2 ** 22 + 1, nonce: `dead-${round}` }));
    left.write('\n');
    right.write('\n');
    const told = (line: Record<string, unknown>) => 'opened' in line || 'refused' in line;
    const answers = await Promise.all([left.next(told), right.next(told)]);
    const winner = answers.find((line) => 'opened' in line);
    const loser = answers.find((line) => 'refused' in line);
    expect([round, winner?.['opened'], loser]).toMatchObject([
      round,
      expect.any(Number),
      { refused: 'session_busy', pid: winner?.['opened'], since: expect.any(String) },
    ]);
    left.write('\n');
    right.write('\n');
    await Promise.all([left.next({ closed: left.pid }), right.next({ closed: right.pid })]);
  }
  expect(await readdir(folder.path)).toEqual([`${sessionId}.jsonl`]);
});
