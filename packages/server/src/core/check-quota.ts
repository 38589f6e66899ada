import type { Caller } from '../guard/access-tokens.js';
import { RefusalWithHeaders } from '../http/error-response.js';
import type { SessionStore } from '../store/session-store.js';

const DAY_MS = 86_400_000;

/** Checks the limits of turns, before a message is accepted. Errors: `quota_exceeded`. */
export async function checkQuota(
  { name, limits }: Caller,
  store: Pick<SessionStore, 'openTurns' | 'usageOf'>,
): Promise<void> {
  const { concurrent_turns: turns, tokens_per_day: tokens, usd_per_day: usd } = limits;
  if (name === undefined) return;
  if (turns !== undefined) {
    const open = (await store.openTurns()).filter(({ sender }) => sender === name).length;
    if (open >= turns) throw exceeded(`The token may have ${turns} open turns.`, 1);
  }
  if (tokens === undefined && usd === undefined) return;
  const used = await store.usageOf(name, dayOf(Date.now()));
  const seconds = Math.ceil((DAY_MS - (Date.now() % DAY_MS)) / 1000);
  if (tokens !== undefined && used.tokens >= tokens)
    throw exceeded(`The token may use ${tokens} tokens per day.`, seconds);
  if (usd !== undefined && used.usd >= usd) throw exceeded(`The token may spend ${usd} US dollars per day.`, seconds);
}

/** Such as `2026-11-28`, in UTC. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

function exceeded(message: string, retryAfterSeconds: number): RefusalWithHeaders {
  return new RefusalWithHeaders('quota_exceeded', message, { 'retry-after': String(retryAfterSeconds) });
}
