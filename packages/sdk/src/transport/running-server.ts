import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, runningServerSchema } from '@qwen/protocol/server';
import type { ServerPlace } from './server-place.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The `qwen serve` of this user that runs on this machine, for the option `server`; undefined when there is none. Of
 * several, the one that was started last. A file that a dead server left is not believed, whoever has its pid now, and
 * neither is one that others could have written (S110).
 */
export async function findRunningServer(
  environment: Environment = process.env,
): Promise<Required<ServerPlace> | undefined> {
  const text = await readOwnFile(join(serverFolder(environment), 'server.json')).catch(() => undefined);
  const server = text === undefined ? undefined : parse(text);
  if (server === undefined || !(await isRunning(server))) return undefined;
  return { url: server.url, token: server.token };
}

/** Where `qwen serve` keeps what is of this user. */
export function serverFolder(environment: Environment): string {
  return join(environment['QWEN_HOME'] ?? join(homedir(), '.qwen'), 'server');
}

/** Undefined when it is not a file of this user alone. Rejects when it is not there. */
async function readOwnFile(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const facts = await file.stat();
    const isOwn = process.getuid === undefined || (facts.uid === process.getuid() && (facts.mode & 0o077) === 0);
    return facts.isFile() && isOwn ? await file.readFile('utf8') : undefined;
  } finally {
    await file.close();
  }
}

function parse(text: string): RunningServer | undefined {
  try {
    const server = runningServerSchema.safeParse(JSON.parse(text));
    return server.success && URL.canParse(server.data.url) ? server.data : undefined;
  } catch {
    return undefined;
  }
}

async function isRunning({ pid, start_time }: RunningServer): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    // That of somebody else is none of this user either.
    return false;
  }
  if (start_time === null) return true;
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The name in parentheses may hold spaces and parentheses; the fields count from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie listens no more.
  return fields[0] !== 'Z' && fields[19] === start_time;
}
