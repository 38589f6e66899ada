import { AgentError, fromWireError } from '@qwen/protocol';
import { EVENT_SCHEMAS } from '@qwen/protocol/server';
import type { SessionService, TurnTicket } from '../../core/session-service.js';
import type { LogItem } from '../../log/log-item.js';

export interface AwaitedTurn {
  readonly log: SessionService['log'];
  readonly sessionId: string;
  readonly ticket: TurnTicket;
  /** Ends the waiting, not the turn. */
  readonly signal: AbortSignal;
}

/**
 * The last words of a turn once it has ended. Errors: what the turn failed with; `cancelled`, `interrupted`; `aborted` when
 * the signal fires first; `channel_closed` when the session or the server ends.
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
        const words = wordsOf(item, ticket.turnId);
        if (words !== undefined) return words;
      }
    }
  } finally {
    signal.removeEventListener('abort', leave);
  }
  if (signal.aborted) throw new AgentError('aborted', 'The client went away. The turn goes on.');
  throw new AgentError('channel_closed', 'The session ended before the turn did.');
}

/** Undefined for what is not the end of the turn. */
function wordsOf(item: LogItem, turnId: string): string | undefined {
  if (item.kind !== 'event') return undefined;
  const { type, data } = item.event;
  if (type === 'turn.interrupted') {
    const { turn_id } = EVENT_SCHEMAS[type].parse(JSON.parse(data));
    if (turn_id === turnId) throw new AgentError('interrupted', 'The server ended in the middle of the turn.');
  }
  if (type !== 'turn.ended') return undefined;
  const { turn_id, outcome, result = '', error } = EVENT_SCHEMAS[type].parse(JSON.parse(data));
  if (turn_id !== turnId) return undefined;
  if (outcome === 'cancelled') throw new AgentError('cancelled', 'The turn was cancelled.');
  if (outcome === 'error') throw fromWireError(error ?? 'The turn failed.', 'provider_error');
  return result;
}
