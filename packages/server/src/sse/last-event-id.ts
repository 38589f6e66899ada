import { AgentError } from '@qwen/protocol';

const SEQ = /^(?:0|[1-9]\d{0,15})$/;

/**
 * The seq in a `Last-Event-ID`, or undefined when the client has none yet. Errors: `invalid_cursor` for anything that
 * we have not sent, without repeating it (F121).
 */
export function parseLastEventId(value: string | null | undefined): number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const seq = SEQ.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(seq)) return seq;
  throw new AgentError('invalid_cursor', 'Last-Event-ID is not the id of an event of this stream.');
}
