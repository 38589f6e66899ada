import { AgentError } from '@qwen/protocol';

const MAX_REMEMBERED = 1_000;
const MAX_AT_REST = 32;

export class PromptIds {
  readonly #sessionId: string;
  readonly #used = new Set<string>();
  readonly #byTurn = new Map<string, string>();
  #count = 0;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  startBehind(turns: number): void {
    this.#count = Math.max(this.#count, turns);
  }

  /** A generated id: `<session>########<turn>`. */
  next(): string {
    this.#count += 1;
    const id = `${this.#sessionId}########${this.#count}`;
    return this.#used.has(id) ? this.next() : id;
  }

  /** Assigns an id to a turn. Throws `invalid_message` for an id in use or used recently. */
  bind(turnId: string, promptId: string): void {
    if (this.#used.has(promptId)) {
      throw new AgentError('invalid_message', `prompt_id: "${promptId}" was used before in this session`);
    }
    this.rebind(turnId, promptId);
  }

  rebind(turnId: string, promptId: string): void {
    this.#used.add(promptId);
    this.#byTurn.set(turnId, promptId);
    this.#forget(MAX_REMEMBERED);
  }

  rest(): void {
    this.#forget(MAX_AT_REST);
  }

  of(turnId: string): string | undefined {
    return this.#byTurn.get(turnId);
  }

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
