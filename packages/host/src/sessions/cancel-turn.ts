import type { AgentHost } from '../agent-host.js';

const CANCELLED = 'Request cancelled.';

/** Stops the turn of a host as Escape does. Returns false when there is none. */
export function cancelTurn(host: AgentHost, { isEnding }: { readonly isEnding: boolean }): boolean {
  const wasTurn = host.interrupt({ by: 'user', reason: CANCELLED });
  // Tells the model why its answer breaks off; a session that is ending needs no note.
  if (wasTurn && !isEnding) host.inject(CANCELLED).catch(() => undefined);
  return wasTurn;
}
