import { AgentError } from '@qwen/protocol';
import type { EventLog } from '../log/event-log.js';
import type { TurnEnding, TurnRecord } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';

export interface EndingPlaces {
  readonly store: Pick<SessionStore, 'endTurn' | 'endTold' | 'untoldEnds'>;
  readonly log: Pick<EventLog, 'append'>;
}

/**
 * Ends a turn: first in the store, so that who reads its last event finds the session ready for the next message, then in
 * the log. The store keeps the events until the log has them. False when it had ended already.
 */
export async function endTurn(
  { id, sessionId }: Pick<TurnRecord, 'id' | 'sessionId'>,
  ending: TurnEnding,
  { store, log }: EndingPlaces,
): Promise<boolean> {
  if (!(await store.endTurn(id, ending))) return false;
  await log.append(sessionId, ending.events);
  await store.endTold(id);
  return true;
}

/** Gives the log what it lacks of the ends that the store knows; of one session or of all. */
export async function tellEnds({ store, log }: EndingPlaces, sessionId?: string): Promise<void> {
  for (const { turn, events } of await store.untoldEnds()) {
    if (sessionId !== undefined && turn.sessionId !== sessionId) continue;
    await unlessDeleted(async () => {
      await log.append(turn.sessionId, events);
      await store.endTold(turn.id);
    });
  }
}

/** Whoever deletes a session deletes its log first, so that may be all that is left of it. */
export async function unlessDeleted(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (!AgentError.is(thrown) || thrown.code !== 'session_not_found') throw thrown;
  }
}
