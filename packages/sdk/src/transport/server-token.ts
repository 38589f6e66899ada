import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findRunningServer, serverFolder } from './running-server.js';
import type { ServerPlace } from './server-place.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * What to show to a server: the token that the app gave, the one of the environment, or, for a server of this machine and
 * only for that, the one that `qwen serve` has left for its user: that of the server that runs at this port, else the one
 * that is kept. Undefined when there is none.
 */
export async function findServerToken(
  { url, token }: ServerPlace,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string | undefined> {
  const given = token ?? environment['QWEN_SERVER_TOKEN'];
  if (given !== undefined || !LOOPBACK.has(new URL(url).hostname)) return given;
  const running = await findRunningServer(environment);
  if (running !== undefined && isSameServer(running.url, url)) return running.token;
  const text = await readFile(join(serverFolder(environment), 'token'), 'utf8').catch(() => '');
  return text.trim() === '' ? undefined : text.trim();
}

/** Loopback has several names; the port says which server it is. */
function isSameServer(one: string, other: string): boolean {
  const [left, right] = [new URL(one), new URL(other)];
  return left.protocol === right.protocol && left.port === right.port;
}
