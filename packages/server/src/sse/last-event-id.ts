import { AgentError } from '@qwen/protocol';

/** A seq, or an id made of one as `toEventId` makes it. */
const ID = /^(?:0|[1-9]\d{0,15}|evt_\d{16})$/;

/** The id of an event as public events carry it: it sorts like its seq (GAP-95). */
export function toEventId(seq: number): string {
  return `evt_${String(seq).padStart(16, '0')}`;
}

/**
 * The seq in a `Last-Event-ID` of either form, or undefined when the client has none yet. Errors: `invalid_cursor` for anything that
 * we have not sent, without repeating it (F121).
 */
export function parseLastEventId(value: string | null | undefined): number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const seq = ID.test(value) ? Number(value.replace('evt_', '')) : Number.NaN;
  if (Number.isSafeInteger(seq)) return seq;
  throw new AgentError('invalid_cursor', 'Last-Event-ID is not the id of an event of this stream.');
}
