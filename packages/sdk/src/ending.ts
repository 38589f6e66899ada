import { AgentError } from '@qwen/protocol';
import type { AbortError } from './errors.js';

/** Why a conversation is over; the first reason counts. */
export type Ending =
  /** All was answered and the CLI has left. */
  | { readonly kind: 'finished' }
  /** The app wants no more. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'aborted'; readonly error: AbortError }
  | { readonly kind: 'failed'; readonly error: unknown };

/** What everything that still waits is rejected with. */
export function reasonOf(ending: Ending): unknown {
  if (ending.kind === 'aborted' || ending.kind === 'failed') return ending.error;
  return new AgentError('channel_closed', 'The query has closed.');
}
