import type { AgentEvent } from '../events.js';
import type { SubagentCall } from '../tool-view.js';

/** The calls of a subagent, kept for screens; the last ones of a long run. */
const MAX_CALLS = 200;

/** Which tools an agent called and what came of it, taken from its events. */
export class CallTally {
  readonly #calls = new Map<string, SubagentCall>();

  /** In the order of the calls. */
  get all(): readonly SubagentCall[] {
    return [...this.#calls.values()];
  }

  note(event: AgentEvent): void {
    if (event.type === 'tool_pending') {
      const { callId, name } = event;
      this.#calls.set(callId, { callId, name });
      const [oldest] = this.#calls.keys();
      if (this.#calls.size > MAX_CALLS && oldest !== undefined) this.#calls.delete(oldest);
    } else if (event.type === 'tool_end') {
      const { callId, status } = event.outcome;
      const known = this.#calls.get(callId);
      if (known !== undefined) this.#calls.set(callId, { ...known, status });
    }
  }
}
