import type { SessionRecord } from '../store/session-record.js';
import type { TurnDispatcher } from './turn-dispatcher.js';

/** Who plays the turns of a server, put together. */
export interface OpenedTurns {
  readonly dispatcher: TurnDispatcher;
  /** How many agents are awake in this process. */
  readonly liveAgents: () => number;
  /** Removes what agents keep of the conversation of a session that is deleted. Never rejects. */
  readonly forgetConversation: (session: SessionRecord) => Promise<void>;
  /** Lets running turns end for so long and stops the rest. */
  readonly close: (options: { readonly graceMs: number }) => Promise<void>;
}

/** What a process does beside others: `front` answers clients, `worker` plays turns, `all` does both. */
export type ServerRole = 'all' | 'front' | 'worker';
