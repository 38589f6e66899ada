import { AgentError } from '@qwen/protocol';

/** Smaller numbers are seconds, larger ones milliseconds. */
const SECONDS_LIMIT = 100_000_000_000;

/**
 * Reads a time of any wire field: seconds (`created`, `ts`), milliseconds (`timestamp`) or ISO text (sessions).
 *
 * @example
 * import { toDate } from '@qwen/sdk/terminal';
 *
 * toDate(1_700_000_000); // seconds
 * toDate(1_700_000_000_000); // milliseconds
 * toDate('2023-11-14T22:13:20.000Z'); // all three are the same time
 *
 * @throws {AgentError} `invalid_message` for an invalid time.
 */
export function toDate(value: number | string): Date {
  const date = new Date(typeof value === 'number' && Math.abs(value) < SECONDS_LIMIT ? value * 1000 : value);
  if (Number.isNaN(date.getTime())) {
    throw new AgentError(
      'invalid_message',
      `Invalid time: ${JSON.stringify(value)}. Expected seconds, milliseconds or ISO 8601 text.`,
    );
  }
  return date;
}
