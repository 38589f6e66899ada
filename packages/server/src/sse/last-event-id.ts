import { AgentError } from '@qwen/protocol';
import { seqOfEventId } from '@qwen/protocol/server';

export { toEventId } from '@qwen/protocol/server';

const SEQ = /^(?:0|[1-9]\d{0,15})$/;

/** Errors: `invalid_cursor`. */
export function parseLastEventId(value: string | null | undefined): number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const seq = SEQ.test(value) ? Number(value) : seqOfEventId(value);
  if (seq !== undefined && Number.isSafeInteger(seq)) return seq;
  throw new AgentError('invalid_cursor', 'Last-Event-ID is not an event id of this stream.');
}
