/**
 * Seconds that the provider asks to wait, from `retry-after-ms` or `Retry-After` (seconds or an HTTP date). Undefined
 * when it asks for nothing or for nonsense: a past date, zero, a negative number, text (F60).
 */
export function readRetryAfter(header: (name: string) => string | undefined, nowMs: number): number | undefined {
  const milliseconds = header('retry-after-ms');
  if (milliseconds !== undefined) return ahead(Number(milliseconds) / 1_000);
  const value = header('retry-after');
  if (value === undefined) return undefined;
  const seconds = Number(value);
  return ahead(Number.isNaN(seconds) ? (Date.parse(value) - nowMs) / 1_000 : seconds);
}

function ahead(seconds: number): number | undefined {
  return seconds > 0 ? seconds : undefined;
}
