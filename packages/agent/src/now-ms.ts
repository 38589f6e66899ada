/** Monotonic. The clock of `performance`, which would load more modules. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1_000_000;
}
