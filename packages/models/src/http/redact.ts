import { AgentError, type ErrorData } from '@qwen/protocol';

/** Shorter values could be ordinary words. */
const SHORTEST_SECRET = 6;

export type Redact = (error: AgentError) => AgentError;

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
  // Longest first, because one secret may contain another.
  return [...secrets].toSorted((left, right) => right.length - left.length);
}

/** Replaces secrets with `[redacted]` in message and data; drops the cause. */
export function createRedact(secrets: readonly string[]): Redact {
  const clean = (text: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
  return (error) => new AgentError(error.code, clean(error.message), { data: cleanData(error.data, clean) });
}

function cleanData(data: ErrorData, clean: (text: string) => string): ErrorData {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, typeof value === 'string' ? clean(value) : value]),
  );
}
