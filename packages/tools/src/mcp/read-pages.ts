import type { Client } from '@modelcontextprotocol/client';
import * as z from 'zod/mini';
import { askServer, withoutNulls } from './ask-server.js';

const MAX_PAGES = 50;
const MAX_ENTRIES = 1000;

const pageSchema = z.looseObject({
  nextCursor: z.optional(z.string()),
  ttlMs: z.catch(z.optional(z.number()), undefined),
});

export interface PageOptions {
  readonly method: 'tools/list' | 'prompts/list' | 'resources/list';
  /** Per page, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Pages {
  readonly entries: readonly unknown[];
  readonly isCut: boolean;
  /** How long the list stays valid, in milliseconds; of the first page. */
  readonly ttlMs?: number | undefined;
}

/** Entries are not validated. Rejects with errors of the client library. */
export async function readPages(client: Client, { method, timeoutMs, signal }: PageOptions): Promise<Pages> {
  const member = method.slice(0, method.indexOf('/'));
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  let ttlMs: number | undefined;
  for (let page = 0; page < MAX_PAGES && entries.length < MAX_ENTRIES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await askServer(client, { method, params, schema: pageSchema, timeout: timeoutMs, signal });
    ttlMs ??= answer.ttlMs;
    const more: unknown = answer[member];
    if (Array.isArray(more)) entries.push(...more.map(withoutNulls));
    cursor = answer.nextCursor;
    // A repeated cursor would loop forever.
    if (cursor === undefined || seen.has(cursor)) break;
    seen.add(cursor);
  }
  const isCut = cursor !== undefined || entries.length > MAX_ENTRIES;
  return { entries: entries.slice(0, MAX_ENTRIES), isCut, ttlMs };
}
