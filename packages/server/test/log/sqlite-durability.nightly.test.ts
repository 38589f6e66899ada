import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, lstat, readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { startLineProcess, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { EventLog } from '../../src/log/event-log.js';
import { openEventLog } from '../../src/log/open-event-log.js';
import { KILL_ROUNDS, killSomewhere, startWriter } from '../killed-writers.js';
import { codesOf, filled, isKind, numbered, seqsOf, takeUntil, upTo } from '../log-readers.js';

const FILL_DISK = fileURLToPath(new URL('../programs/fill-disk.js', import.meta.url));

/** All events of session `a`. */
async function readAll(log: EventLog) {
  using subscription = await log.attach('a');
  const items = await takeUntil(subscription, isKind('caught_up'));
  return items.flatMap((item) => (item.kind === 'event' ? [item.event] : []));
}

test(`nothing acknowledged is lost when the writer is killed, ${KILL_ROUNDS} times`, {
  timeout: 30_000 + KILL_ROUNDS * 1000,
}, async () => {
  verifies('F81');
  await using folder = await temporaryFolder();
  const place = folder.resolve('events.db');
  let kept = 0;
  for (let round = 0; round < KILL_ROUNDS; round += 1) {
    await using writer = await startWriter(place, kept + 1);
    const acknowledged = await killSomewhere(writer, kept);
    // Every other time the power seems to have gone too, in the middle of a page.
    if (round % 2 === 1) await appendFile(`${place}-wal`, randomBytes(1 + (round % 5000)));

    const log = await openEventLog(place);
    const events = await readAll(log);
    await log.close();
    expect(events.map(({ seq }) => seq)).toEqual(upTo(events.length));
    expect(events.map(({ data }) => Number(data))).toEqual(upTo(events.length));
    expect(events.length).toBeGreaterThanOrEqual(acknowledged);
    // Three groups of three may have been on their way.
    expect(events.length).toBeLessThanOrEqual(acknowledged + 9);
    kept = events.length;
  }
});

test('IDs, ends and positions are the same after a restart', async () => {
  await using folder = await temporaryFolder();
  const place = folder.resolve('events.db');
  const before = await openEventLog(place, { retention: { maxEvents: 3 } });
  await filled(before, 'a', 5);
  await before.append('a', [{ type: 'x', data: '6', eventId: 'e' }]);
  const page = await before.read('a');
  await before.create('done');
  await before.finish('done');
  await before.close();

  const after = await openEventLog(place);
  expect(await after.read('a')).toEqual(page);
  expect(await after.append('a', [{ type: 'x', data: '?', eventId: 'e' }, ...numbered(7, 7)])).toEqual([
    { seq: 6, isRepeat: true },
    { seq: 7, isRepeat: false },
  ]);
  using subscription = await after.attach('a', { afterSeq: 5 });
  expect(seqsOf(await takeUntil(subscription, isKind('caught_up')))).toEqual([6, 7]);
  expect(await codesOf([after.append('done', numbered(1, 1))])).toEqual(['session_finished']);
  await after.close();
});

const ON_A_SMALL_DISK = ['--user', '--map-root-user', '--mount', 'sh', '-c'];
const canMount = spawnSync('unshare', [...ON_A_SMALL_DISK, 'mount -t tmpfs -o size=64k tmpfs /mnt']).status === 0;

test.runIf(canMount)('a full disk is storage_full, loses nothing acknowledged, and recovers', async () => {
  await using folder = await temporaryFolder();
  const script = 'mount -t tmpfs -o size=700k tmpfs "$2" && exec "$0" "$1" "$2"';
  const args = [...ON_A_SMALL_DISK, script, process.execPath, FILL_DISK, folder.path];
  await using program = await startLineProcess({ command: 'unshare', args });
  const { acknowledged } = await program.next({ failed: 'storage_full' });
  expect(acknowledged).toBeGreaterThan(3);
  const next = Number(acknowledged) + 1;
  expect(await program.next((line) => 'seq' in line)).toEqual({ whileFull: acknowledged, seq: next, seqs: upTo(next) });
});

test('the file is private and open in one process only', async () => {
  await using folder = await temporaryFolder();
  const place = folder.resolve('deep/events.db');
  const log = await openEventLog(place);
  await filled(log, 'a', 1);
  for (const path of [place, `${place}-wal`]) expect((await lstat(path)).mode & 0o777).toBe(0o600);
  expect((await lstat(folder.resolve('deep'))).mode & 0o777).toBe(0o700);
  await expect(openEventLog(place)).rejects.toMatchObject({ code: 'storage_busy' });
  await log.close();
  await (await openEventLog(place)).close();
});

test('a file that is not an event log is left unchanged', async () => {
  await using folder = await temporaryFolder();
  const text = await folder.write('text', 'this is not a database, whatever it is called'.repeat(100));
  await expect(openEventLog(text)).rejects.toMatchObject({ code: 'storage_damaged' });
  expect(await readFile(text, 'utf8')).toContain('this is not');

  const newer = folder.resolve('newer.db');
  const database = new DatabaseSync(newer);
  database.exec('PRAGMA user_version = 99');
  database.close();
  await expect(openEventLog(newer)).rejects.toMatchObject({ code: 'storage_damaged' });

  const file = await folder.write('file', '');
  await expect(openEventLog(`${file}/events.db`)).rejects.toMatchObject({ code: 'storage_unwritable' });
  await expect(openEventLog('events.db')).rejects.toMatchObject({ code: 'usage' });
  await expect(openEventLog('http://x')).rejects.toMatchObject({ code: 'usage' });
});
