import { AgentError } from '@qwen/protocol';

/** Below this a number counts seconds, from it on milliseconds (CF-16). */
const SECONDS_LIMIT = 100_000_000_000;

/**
 * The moment that a field of any wire means (CF-17): `created` and `ts` count seconds since 1970, `timestamp` counts
 * milliseconds, sessions have ISO texts. Throws `invalid_message` for what names no moment.
 */
export function toDate(value: number | string): Date {
  const date = new Date(typeof value === 'number' && Math.abs(value) < SECONDS_LIMIT ? value * 1000 : value);
  if (Number.isNaN(date.getTime())) {
    throw new AgentError('invalid_message', `${JSON.stringify(value)} is no moment in time.`);
  }
  return date;
}
