import type { EventLog } from '../log/event-log.js';
import type { SessionStore } from '../store/session-store.js';
import { tellEnds, unlessDeleted } from './end-turn.js';
import { userMessage } from './new-events.js';
import type { TurnCloser } from './turn-closer.js';
import type { TurnDispatcher } from './turn-dispatcher.js';

export interface RecoveryOptions {
  readonly store: SessionStore;
  readonly log: Pick<EventLog, 'append'>;
  readonly closer: TurnCloser;
  readonly dispatcher: TurnDispatcher;
}

/**
 * What a server that died has left: turns that ran are marked as interrupted and not played again, since nobody knows
 * what they have done; messages that waited are played (F119). Rejects with what the log or the store says.
 */
export async function recoverTurns({ store, log, closer, dispatcher }: RecoveryOptions): Promise<void> {
  await tellEnds({ store, log });
  for (const turn of await store.openTurns()) {
    await unlessDeleted(async () => {
      if (turn.state === 'running') await closer.close(turn, { outcome: 'interrupted', reason: 'server_crash' });
      else {
        await log.append(turn.sessionId, [userMessage(turn)]);
        await dispatcher.enqueue(turn);
      }
    });
  }
}
