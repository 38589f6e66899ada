// As many digits as the largest safe integer has.
const DIGITS = 16;
const EVENT_ID = /^evt_(\d{16})$/;

/** The id of the event with this number; ids sort as text like their numbers. */
export function toEventId(seq: number): string {
  return `evt_${String(seq).padStart(DIGITS, '0')}`;
}

/** The number that an event id is made of; undefined for what is no such id. */
export function seqOfEventId(id: string): number | undefined {
  const digits = EVENT_ID.exec(id)?.[1];
  const seq = Number(digits);
  return Number.isSafeInteger(seq) ? seq : undefined;
}
