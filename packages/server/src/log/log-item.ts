import type { LoggedEvent } from './logged-event.js';
import type { TailEnd } from './session-tail.js';

/**
 * Why a subscription gives nothing more: the session is `finished` and all of it was given, or `deleted`; the log is
 * `closing`; the reader was `too_slow`, and can go on where it stands with a new one.
 */
export type SubscriptionEnd = TailEnd | 'too_slow';

/** What a subscription gives, in order. */
export type LogItem =
  | { readonly kind: 'event'; readonly event: LoggedEvent }
  /** These events are gone: they were evicted before this reader got to them. */
  | { readonly kind: 'gap'; readonly fromSeq: number; readonly toSeq: number }
  /** The past is given; what follows is live. Once. */
  | { readonly kind: 'caught_up'; readonly seq: number }
  /** The reader is so far behind that it is about to be cut. Once, until it has caught up. */
  | { readonly kind: 'lagging'; readonly lagBytes: number; readonly maxLagBytes: number }
  /** The last item. Everything up to `seq` was given: the cursor to come back with. */
  | { readonly kind: 'end'; readonly reason: SubscriptionEnd; readonly seq: number };
