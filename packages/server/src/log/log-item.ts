import type { LoggedEvent } from './logged-event.js';
import type { TailEnd } from './session-tail.js';

/** After `too_slow` the reader can resume from its cursor. */
export type SubscriptionEnd = TailEnd | 'too_slow';

export type LogItem =
  | { readonly kind: 'event'; readonly event: LoggedEvent }
  /** Evicted before the reader got them. */
  | { readonly kind: 'gap'; readonly fromSeq: number; readonly toSeq: number }
  /** The history is complete. Once. */
  | { readonly kind: 'caught_up'; readonly seq: number }
  /** The reader is about to be cut. */
  | { readonly kind: 'lagging'; readonly lagBytes: number; readonly maxLagBytes: number }
  /** `seq` is the cursor to resume from. */
  | { readonly kind: 'end'; readonly reason: SubscriptionEnd; readonly seq: number };
