import type { EventPage, EventRange, Retention, SessionAppend, SessionIdPage } from '../event-store.js';
import type { AppendReceipt } from '../logged-event.js';

export interface ThreadError {
  readonly code:
    | 'session_exists'
    | 'session_not_found'
    | 'session_finished'
    | 'storage_full'
    | 'storage_unwritable'
    | 'storage_busy'
    | 'storage_damaged'
    | 'internal';
  readonly message: string;
}

export type ThreadOutcome =
  | { readonly receipts: readonly AppendReceipt[]; readonly atMs: number }
  | { readonly error: ThreadError };

export interface ThreadVerbs {
  create(input: { readonly sessionId: string }): void;
  append(input: { readonly batch: readonly SessionAppend[] }): readonly ThreadOutcome[];
  read(input: EventRange): EventPage;
  seqOf(input: { readonly sessionId: string; readonly eventId: string }): number | undefined;
  evict(input: { readonly sessionId: string; readonly retention: Retention }): number;
  finish(input: { readonly sessionId: string }): void;
  delete(input: { readonly sessionId: string }): void;
  list(input: { readonly afterId: string; readonly limit: number }): SessionIdPage;
  backup(input: { readonly path: string }): void;
  close(input: null): void;
}

export type ThreadVerb = keyof ThreadVerbs;

/** Answered once, in order. */
export type ThreadCall = {
  readonly [Verb in ThreadVerb]: { readonly verb: Verb; readonly input: Parameters<ThreadVerbs[Verb]>[0] };
}[ThreadVerb];

export type ThreadAnswer = { readonly result: unknown } | { readonly error: ThreadError };
