import type { SessionRecord } from '../store/session-record.js';
import type { TurnDispatcher } from './turn-dispatcher.js';

/** What a process does in a cluster: `front` answers clients, `worker` runs turns, `all` does both. */
export type ServerRole = 'all' | 'front' | 'worker';

export interface OpenedTurns {
  readonly dispatcher: TurnDispatcher;
  /** Number of agents running in this process. */
  readonly liveAgents: () => number;
  /** Removes the agent's conversation of a deleted session. Never rejects. */
  readonly deleteConversation: (session: SessionRecord) => Promise<void>;
  /** Gives running turns `graceMs` to end and stops the rest. */
  readonly close: (options: { readonly graceMs: number }) => Promise<void>;
}
