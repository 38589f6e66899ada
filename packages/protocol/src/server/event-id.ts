// Digits of the largest safe integer.
const DIGITS = 16;
const EVENT_ID = /^evt_(\d{16})$/;

export function toEventId(seq: number): string {
  return `evt_${String(seq).padStart(DIGITS, '0')}`;
}

export function seqOfEventId(id: string): number | undefined {
  const digits = EVENT_ID.exec(id)?.[1];
  const seq = Number(digits);
  return Number.isSafeInteger(seq) ? seq : undefined;
}
