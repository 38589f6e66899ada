import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ServerPlace } from './server-place.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * What to show to a server: the token that the app gave, the one of the environment, or, for a server of this machine and
 * only for that, the one that `qwen serve` has left for its user. Undefined when there is none.
 */
export async function findServerToken(
  { url, token }: ServerPlace,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string | undefined> {
  const given = token ?? environment['QWEN_SERVER_TOKEN'];
  if (given !== undefined || !LOOPBACK.has(new URL(url).hostname)) return given;
  const home = environment['QWEN_HOME'] ?? join(homedir(), '.qwen');
  const text = await readFile(join(home, 'server', 'token'), 'utf8').catch(() => '');
  return text.trim() === '' ? undefined : text.trim();
}
