import { AgentError } from '@qwen/protocol';
import { seqOfEventId } from '@qwen/protocol/server';

export { toEventId } from '@qwen/protocol/server';

const SEQ = /^(?:0|[1-9]\d{0,15})$/;

/**
 * The seq in a `Last-Event-ID` of either form, or undefined when the client has none yet. Errors: `invalid_cursor` for anything that
 * we have not sent, without repeating it (F121).
 */
export function parseLastEventId(value: string | null | undefined): number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const seq = SEQ.test(value) ? Number(value) : seqOfEventId(value);
  if (seq !== undefined && Number.isSafeInteger(seq)) return seq;
  throw new AgentError('invalid_cursor', 'Last-Event-ID is not the id of an event of this stream.');
}
