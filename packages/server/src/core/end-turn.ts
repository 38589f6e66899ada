import { AgentError } from '@qwen/protocol';
import type { EventLog } from '../log/event-log.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import type { TurnEnding, TurnRecord } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';

export interface TurnEndStores {
  readonly store: Pick<SessionStore, 'endTurn' | 'clearOutbox' | 'outbox'>;
  readonly log: Pick<EventLog, 'append'>;
  readonly metrics?: ServerMetrics | undefined;
}

/**
 * Ends a turn in the store first, so that a client that reads its last event can send the next message, then in the
 * log. False if it had ended.
 */
export async function endTurn(
  { id, sessionId }: Pick<TurnRecord, 'id' | 'sessionId'>,
  ending: TurnEnding,
  { store, log, metrics }: TurnEndStores,
): Promise<boolean> {
  if (!(await store.endTurn(id, ending))) return false;
  metrics?.turns.inc({ outcome: ending.state });
  await log.append(sessionId, ending.events);
  await store.clearOutbox(id);
  return true;
}

/** Idempotent, because the events have ids. */
export async function flushOutbox({ store, log }: TurnEndStores, sessionId?: string): Promise<void> {
  for (const { turn, events } of await store.outbox()) {
    if (sessionId !== undefined && turn.sessionId !== sessionId) continue;
    await unlessDeleted(async () => {
      await log.append(turn.sessionId, events);
      await store.clearOutbox(turn.id);
    });
  }
}

/** A deletion removes the log of a session before its record. */
export async function unlessDeleted(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (!AgentError.is(thrown) || thrown.code !== 'session_not_found') throw thrown;
  }
}
