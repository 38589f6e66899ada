import type { ConversationFork } from '../agent/fork-conversation.js';
import type { SessionRecord } from '../store/session-record.js';
import type { TurnDispatcher } from './turn-dispatcher.js';

/** In a cluster: `front` answers clients, `worker` runs turns, `all` does both. */
export type ServerRole = 'all' | 'front' | 'worker';

export interface OpenedTurns {
  readonly dispatcher: TurnDispatcher;
  readonly liveAgents: () => number;
  /** Turns that have started and wait for a free agent of this process. */
  readonly waitingForAgent: () => { readonly turns: number; readonly longestMs: number };
  readonly forkConversation: (fork: ConversationFork) => Promise<void>;
  /** Never rejects. */
  readonly deleteConversation: (session: SessionRecord) => Promise<void>;
  readonly close: (options: { readonly graceMs: number }) => Promise<void>;
}
