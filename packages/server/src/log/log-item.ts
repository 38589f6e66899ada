import type { LoggedEvent } from './logged-event.js';
import type { TailEnd } from './session-tail.js';

/** Why a subscription has ended. After `too_slow` the reader can resume from its cursor with a new subscription. */
export type SubscriptionEnd = TailEnd | 'too_slow';

export type LogItem =
  | { readonly kind: 'event'; readonly event: LoggedEvent }
  /** These events were evicted before the reader got them. */
  | { readonly kind: 'gap'; readonly fromSeq: number; readonly toSeq: number }
  /** The history is complete and live events follow. Once. */
  | { readonly kind: 'caught_up'; readonly seq: number }
  /** The reader is about to be cut. Once, until it has caught up. */
  | { readonly kind: 'lagging'; readonly lagBytes: number; readonly maxLagBytes: number }
  /** The last item. `seq` is the cursor to resume from. */
  | { readonly kind: 'end'; readonly reason: SubscriptionEnd; readonly seq: number };
