import type { Client } from '@modelcontextprotocol/client';
import { defined } from '@qwen/protocol';
import * as z from 'zod/mini';
import { RAW } from './server-channel.js';

export interface ServerQuestion<Schema extends z.ZodMiniType> {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly schema: Schema;
  /** In milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly onprogress?: (note: ProgressNote) => void;
}

export interface ProgressNote {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

const anySchema = z.looseObject({ [RAW]: z.optional(z.unknown()) });

/** Only our schema decides about the result. Rejects with errors of the client library, or of zod. */
export async function askServer<Schema extends z.ZodMiniType>(
  client: Client,
  { method, params, schema, ...options }: ServerQuestion<Schema>,
): Promise<z.output<Schema>> {
  const result = await client.request({ method, params: { ...params } }, anySchema, defined(options));
  return z.parse(schema, withoutNulls(result[RAW] ?? result));
}

/** Some servers write missing members as null. */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name, member]) => member !== null || name === 'structuredContent'),
  );
}
