import type { AgentHost } from '../agent-host.js';

/** What everybody reads of a request that the user gave up (I-07). */
const CANCELLED = 'Request cancelled.';

/** Stops the turn of a host as Escape does. False when there is none. */
export function cancelTurn(host: AgentHost, { isEnding }: { readonly isEnding: boolean }): boolean {
  const wasTurn = host.interrupt({ by: 'user', reason: CANCELLED });
  // The model shall know why its last words break off; a session that is about to end needs no note.
  if (wasTurn && !isEnding) host.inject(CANCELLED).catch(() => undefined);
  return wasTurn;
}
