/**
 * Seconds that the provider asks to wait, from `retry-after-ms` or `Retry-After` (seconds or an HTTP date). Undefined
 * when it asks for nothing or for nonsense: a past date, zero, a negative number, text (F60).
 */
export function readRetryAfter(headers: Headers, nowMs: number): number | undefined {
  const milliseconds = headers.get('retry-after-ms');
  if (milliseconds !== null) return ahead(Number(milliseconds) / 1_000);
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = Number(value);
  return ahead(Number.isNaN(seconds) ? (Date.parse(value) - nowMs) / 1_000 : seconds);
}

function ahead(seconds: number): number | undefined {
  return seconds > 0 ? seconds : undefined;
}
