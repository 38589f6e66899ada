import type { LogItem } from '../log/log-item.js';
import type { SseEvent } from './sse-frame.js';

/** What the log says beside events. */
export type LogRemark = Exclude<LogItem, { readonly kind: 'event' }>;

const END_EVENTS = {
  finished: 'stream_end',
  deleted: 'session_deleted',
  closing: 'server_shutdown',
  too_slow: 'evicted',
} as const;

/**
 * A remark of the log as an event of the stream: `resync` names what is gone, `replay_complete` where live begins,
 * `lagging` warns, and the last one says why the stream ends. None has an id, so that a client which comes back
 * after it asks for what follows the last real event.
 */
export function toRemarkEvent(remark: LogRemark): SseEvent {
  switch (remark.kind) {
    case 'gap':
      return event('resync', { from_seq: remark.fromSeq, to_seq: remark.toSeq });
    case 'caught_up':
      return event('replay_complete', { seq: remark.seq });
    case 'lagging':
      return event('lagging', { lag_bytes: remark.lagBytes, max_lag_bytes: remark.maxLagBytes });
    case 'end':
      return event(END_EVENTS[remark.reason], { reason: remark.reason, seq: remark.seq });
  }
}

function event(type: string, members: Readonly<Record<string, unknown>>): SseEvent {
  return { type, data: JSON.stringify({ type, ...members }) };
}
