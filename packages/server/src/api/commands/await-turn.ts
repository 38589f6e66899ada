import { AgentError, fromWireError } from '@qwen/protocol';
import { EVENT_SCHEMAS } from '@qwen/protocol/server';
import type { SessionService, TurnTicket } from '../../core/session-service.js';
import type { LogItem } from '../../log/log-item.js';

export interface AwaitedTurn {
  readonly log: SessionService['log'];
  readonly sessionId: string;
  readonly ticket: TurnTicket;
  /** Stops waiting; the turn continues. */
  readonly signal: AbortSignal;
}

/**
 * Returns the result of a turn. Errors: that of the turn; `cancelled`, `interrupted`; `aborted`; `channel_closed` if
 * session or server end.
 */
export async function awaitTurn({ log, sessionId, ticket, signal }: AwaitedTurn): Promise<string> {
  using subscription = await log.attach(sessionId, { afterSeq: ticket.startSeq });
  const leave = () => subscription.close();
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    for (;;) {
      const items = await subscription.take();
      if (items.length === 0) break;
      for (const item of items) {
        const result = resultOf(item, ticket.turnId);
        if (result !== undefined) return result;
      }
    }
  } finally {
    signal.removeEventListener('abort', leave);
  }
  if (signal.aborted) throw new AgentError('aborted', 'The client disconnected. The turn continues.');
  throw new AgentError('channel_closed', 'The session ended before the turn did.');
}

function resultOf(item: LogItem, turnId: string): string | undefined {
  if (item.kind !== 'event') return undefined;
  const { type, data } = item.event;
  if (type === 'turn.interrupted') {
    const { turn_id } = EVENT_SCHEMAS[type].parse(JSON.parse(data));
    if (turn_id === turnId) throw new AgentError('interrupted', 'The server stopped during the turn.');
  }
  if (type !== 'turn.ended') return undefined;
  const { turn_id, outcome, result = '', error } = EVENT_SCHEMAS[type].parse(JSON.parse(data));
  if (turn_id !== turnId) return undefined;
  if (outcome === 'cancelled') throw new AgentError('cancelled', 'The turn was cancelled.');
  if (outcome === 'error') throw fromWireError(error ?? 'The turn failed.', 'provider_error');
  return result;
}
