import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '@qwen/agent/node';
import { sessionsFolder } from '@qwen/host/config/config-dir.js';
import { sessionLockSchema, systemCodeOf } from '@qwen/protocol';
import type { Check, Finding } from './finding.js';

/** Truncated session files and stale locks. Both are repaired on open. */
export const checkSessions: Check = async ({ configDir }) => {
  const folder = sessionsFolder(configDir);
  const names = await readdir(folder).catch(() => []);
  const sessions = names.filter((name) => name.endsWith('.jsonl'));
  const locks = names.filter((name) => name.endsWith('.lock'));
  const dead = await select(locks, (name) => isDead(join(folder, name)));
  // A live writer may be in the middle of a line.
  const isWritten = (name: string) =>
    locks.some((lock) => !dead.includes(lock) && lock === name.replace(/jsonl$/, 'lock'));
  const torn = await select(
    sessions.filter((name) => !isWritten(name)),
    (name) => isTorn(join(folder, name)),
  );
  return [
    {
      area: 'sessions',
      level: 'ok',
      message: `${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'} in ${folder}`,
    },
    ...torn.map((name) => toFinding(join(folder, name), 'ends in an incomplete line, as after a crash')),
    ...dead.map((name) => toFinding(join(folder, name), 'is a lock left by a process that has exited')),
  ];
};

function toFinding(path: string, what: string): Finding {
  const advice = 'No action needed: resuming the session repairs it.';
  return { area: 'sessions', level: 'warning', message: `${path} ${what}`, advice, path };
}

async function isTorn(path: string): Promise<boolean> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() !== '\n';
}

async function isDead(path: string): Promise<boolean> {
  const owner = sessionLockSchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
  return !owner.success || !isRunning({ pid: owner.data.pid, startTime: owner.data.start_time });
}

/** Sequential, to limit open handles. Deleted files count as healthy, unreadable ones do not. */
async function select(names: readonly string[], holds: (name: string) => Promise<boolean>): Promise<readonly string[]> {
  const selected: string[] = [];
  for (const name of names) {
    const found = await holds(name).catch((thrown: unknown) => systemCodeOf(thrown) !== 'ENOENT');
    if (found) selected.push(name);
  }
  return selected;
}
