import { AgentError } from '@qwen/protocol';

/** So many ids are remembered; an older one may be used again. */
const MAX_REMEMBERED = 1_000;
/** The same for a session that sleeps. */
const MAX_AT_REST = 32;

/** The names that the turns of one session have on the wire (E-06 … E-09). */
export class PromptIds {
  readonly #sessionId: string;
  readonly #used = new Set<string>();
  readonly #byTurn = new Map<string, string>();
  #count = 0;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** Counts on from the turns of an earlier run, so that no name is given twice. */
  startBehind(turns: number): void {
    this.#count = Math.max(this.#count, turns);
  }

  /** A name of our own making: `<session>########<turn>`. */
  next(): string {
    this.#count += 1;
    const id = `${this.#sessionId}########${this.#count}`;
    return this.#used.has(id) ? this.next() : id;
  }

  /** Gives a new turn its name. Throws `invalid_message` for a name that a turn of this session has or had. */
  bind(turnId: string, promptId: string): void {
    if (this.#used.has(promptId)) {
      throw new AgentError('invalid_message', `prompt_id: "${promptId}" was used before in this session`);
    }
    this.rebind(turnId, promptId);
  }

  /** A turn goes on that has this name already (E-09). */
  rebind(turnId: string, promptId: string): void {
    this.#used.add(promptId);
    this.#byTurn.set(turnId, promptId);
    this.#forget(MAX_REMEMBERED);
  }

  /** Nobody asks for a while: few names are worth their memory. */
  rest(): void {
    this.#forget(MAX_AT_REST);
  }

  /** The name of a turn that is not over. */
  of(turnId: string): string | undefined {
    return this.#byTurn.get(turnId);
  }

  /** The turn is over. */
  release(turnId: string): void {
    this.#byTurn.delete(turnId);
  }

  #forget(limit: number): void {
    for (const oldest of this.#used) {
      if (this.#used.size <= limit) return;
      this.#used.delete(oldest);
    }
  }
}
