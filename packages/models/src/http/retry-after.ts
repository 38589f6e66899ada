type Header = (name: string) => string | undefined;

/** Seconds from `retry-after-ms` or `retry-after`. Undefined for past dates and invalid values. */
export function readRetryAfter(header: Header, nowMs: number): number | undefined {
  const milliseconds = ahead(Number(header('retry-after-ms')) / 1_000);
  if (milliseconds !== undefined) return milliseconds;
  const value = header('retry-after');
  return value === undefined ? undefined : ahead(secondsUntil(value, nowMs));
}

/** Pairs of headers: how much is left, and when it is full again. */
const RESETS = [
  ['x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ['x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
  ['anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-requests-reset'],
  ['anthropic-ratelimit-tokens-remaining', 'anthropic-ratelimit-tokens-reset'],
  ['anthropic-ratelimit-input-tokens-remaining', 'anthropic-ratelimit-input-tokens-reset'],
  ['anthropic-ratelimit-output-tokens-remaining', 'anthropic-ratelimit-output-tokens-reset'],
  ['x-ratelimit-remaining', 'x-ratelimit-reset'],
  ['x-ratelimit-remaining', 'x-ratelimit-reset-after'],
  ['ratelimit-remaining', 'ratelimit-reset'],
] as const;

/**
 * Seconds until a limit resets, from the headers of OpenAI, Groq, Anthropic, OpenRouter and the IETF draft. Of several
 * the used-up one counts, else the latest.
 */
export function readReset(header: Header, nowMs: number): number | undefined {
  const found = RESETS.flatMap(([left, reset]) => {
    const text = header(reset);
    const seconds = text === undefined ? undefined : ahead(secondsUntil(text, nowMs));
    return seconds === undefined ? [] : [{ seconds, isUsedUp: header(left) === '0' }];
  });
  const usedUp = found.filter(({ isUsedUp }) => isUsedUp);
  const counting = usedUp.length > 0 ? usedUp : found;
  return counting.length === 0 ? undefined : Math.max(...counting.map(({ seconds }) => seconds));
}

/** For example "Please try again in 6m0.5s". */
export function delayInText(text: string): number | undefined {
  const found = /\b(?:try again|retry|wait)(?: after| in| for)? ((?:\d+(?:\.\d+)? ?(?:ms|s|m|h))+)/i.exec(text);
  const seconds = found?.[1] === undefined ? undefined : durationSeconds(found[1].replaceAll(' ', ''));
  return seconds === undefined ? undefined : ahead(seconds);
}

/** Larger numbers are points in time: epoch seconds, then epoch milliseconds. */
const FIRST_EPOCH_SECONDS = 1_000_000_000;
const FIRST_EPOCH_MILLISECONDS = 100_000_000_000;

/** Accepts seconds, epoch time, a duration such as `1m2.5s`, an HTTP date and RFC 3339. NaN for anything else. */
function secondsUntil(text: string, nowMs: number): number {
  const number = /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (number >= FIRST_EPOCH_MILLISECONDS) return (number - nowMs) / 1_000;
  if (number >= FIRST_EPOCH_SECONDS) return number - nowMs / 1_000;
  if (!Number.isNaN(number)) return number;
  return durationSeconds(text) ?? (Date.parse(text) - nowMs) / 1_000;
}

const UNITS = { d: 86_400, h: 3_600, m: 60, s: 1, ms: 0.001 } as const;

/** Go's form: `1h2m3.5s`, `20ms`. */
function durationSeconds(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/.test(text)) return undefined;
  let seconds = 0;
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)) {
    seconds += Number(count) * UNITS[unit as keyof typeof UNITS];
  }
  return seconds;
}

function ahead(seconds: number): number | undefined {
  return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
}
