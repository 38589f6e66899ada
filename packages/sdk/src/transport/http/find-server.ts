import { homedir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, runningServerSchema } from '@qwen/protocol/server';

/** Address of a `qwen serve`. */
export interface RemoteServer {
  /** Such as `https://agents.example` or `http://127.0.0.1:3000`. May have a path prefix. */
  readonly url: string;
  /**
   * Default: the environment variable `QWEN_SERVER_TOKEN`; for a server on this machine also the token that
   * `qwen serve` stores for its user.
   */
  readonly token?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds the `qwen serve` that this user last started on this machine, for the option `server`; undefined if none
 * runs. Ignores files left by a server that has exited, and files that others could have written.
 *
 * @example
 * import { findRunningServer, query } from '@qwen/sdk';
 *
 * const server = await findRunningServer();
 * for await (const message of query({ prompt: 'hi', options: { server } })) console.log(message);
 */
export async function findRunningServer(
  environment: Environment = process.env,
): Promise<Required<RemoteServer> | undefined> {
  const text = await readOwnFile(join(serverFolder(environment), 'server.json')).catch(() => undefined);
  const server = text === undefined ? undefined : parse(text);
  if (server === undefined || !(await isRunning(server))) return undefined;
  return { url: server.url, token: server.token };
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The token for a server: the given one, else that of the environment. For a server on this machine, and no other,
 * also the token of the server running on that port, or the stored one.
 */
export async function findServerToken(
  { url, token }: RemoteServer,
  environment: Environment = process.env,
): Promise<string | undefined> {
  const given = token ?? environment['QWEN_SERVER_TOKEN'];
  if (given !== undefined || !LOOPBACK.has(new URL(url).hostname)) return given;
  const running = await findRunningServer(environment);
  if (running !== undefined && isSameServer(running.url, url)) return running.token;
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(join(serverFolder(environment), 'token'), 'utf8').catch(() => '');
  return text.trim() === '' ? undefined : text.trim();
}

/** Loopback has several names: only protocol and port identify the server. */
function isSameServer(one: string, other: string): boolean {
  const [left, right] = [new URL(one), new URL(other)];
  return left.protocol === right.protocol && left.port === right.port;
}

function serverFolder(environment: Environment): string {
  return join(environment['QWEN_HOME'] ?? join(homedir(), '.qwen'), 'server');
}

/** Undefined unless only this user can access the file. Rejects if it does not exist. */
async function readOwnFile(path: string): Promise<string | undefined> {
  const { constants, open } = await import('node:fs/promises');
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = await file.stat();
    const isOwn = process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0);
    return stats.isFile() && isOwn ? await file.readFile('utf8') : undefined;
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
    // Gone, or a process of another user, which cannot be this server.
    return false;
  }
  if (start_time === null) return true;
  const { readFile } = await import('node:fs/promises');
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The process name is in parentheses and may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isZombie = fields[0] === 'Z';
  return !isZombie && fields[19] === start_time;
}
