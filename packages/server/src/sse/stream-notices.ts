import type { LogItem } from '../log/log-item.js';
import type { SseEvent } from './sse-frame.js';

export type StreamNotice = Exclude<LogItem, { readonly kind: 'event' }>;

const END_EVENTS = {
  finished: 'stream_end',
  deleted: 'session_deleted',
  closing: 'server_shutdown',
  too_slow: 'evicted',
} as const;

/** Without an id, so that a reconnecting client resumes after the last real event. */
export function toNoticeEvent(notice: StreamNotice): SseEvent {
  switch (notice.kind) {
    case 'gap':
      return event('resync', { from_seq: notice.fromSeq, to_seq: notice.toSeq });
    case 'caught_up':
      return event('replay_complete', { seq: notice.seq });
    case 'lagging':
      return event('lagging', { lag_bytes: notice.lagBytes, max_lag_bytes: notice.maxLagBytes });
    case 'end':
      return event(END_EVENTS[notice.reason], { reason: notice.reason, seq: notice.seq });
  }
}

function event(type: string, members: Readonly<Record<string, unknown>>): SseEvent {
  return { type, data: JSON.stringify({ type, ...members }) };
}
