import { AgentError, type ErrorData } from '@qwen/protocol';

/** Shorter values are words, not secrets; taking them out would only make the text unreadable. */
const SHORTEST_SECRET = 6;

/** Takes the secrets of a configuration out of errors (S106). */
export type Redact = (error: AgentError) => AgentError;

/** The values that must never appear in an error: the key, header values, and the query of the base URL. */
export function secretsOf(config: {
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly baseUrl?: string | undefined;
}): readonly string[] {
  const url = config.baseUrl === undefined ? undefined : new URL(config.baseUrl);
  const candidates = [
    config.apiKey,
    ...Object.values(config.headers ?? {}).flatMap((value) => [value, value.replace(/^\S+\s+/, '')]),
    ...(url?.searchParams.values() ?? []),
  ];
  const secrets = new Set(
    candidates.filter((value) => value !== undefined).filter((value) => value.length >= SHORTEST_SECRET),
  );
  // The longest first, or the shorter one inside of it would leave the rest standing.
  return [...secrets].toSorted((left, right) => right.length - left.length);
}

/** A function that replaces each secret by `[redacted]` in message and data. Causes are dropped. */
export function createRedact(secrets: readonly string[]): Redact {
  const clean = (text: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
  return (error) => new AgentError(error.code, clean(error.message), { data: cleanData(error.data, clean) });
}

function cleanData(data: ErrorData, clean: (text: string) => string): ErrorData {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, typeof value === 'string' ? clean(value) : value]),
  );
}
