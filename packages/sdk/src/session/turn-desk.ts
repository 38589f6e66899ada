import type { AgentError } from '@qwen/protocol';
import type { QwenEvent } from '../terminal/events.js';
import type { RunningTurn } from './running-turn.js';

/** The turns that run, and which of them an event belongs to. */
export class TurnDesk {
  readonly #turns = new Set<RunningTurn>();

  get running(): readonly RunningTurn[] {
    return [...this.#turns];
  }

  add(turn: RunningTurn): void {
    this.#turns.add(turn);
  }

  /** Gives an event to its turn; one of no turn is dropped here. */
  take(event: QwenEvent, bytes: number): void {
    const turn = this.#ownerOf(event);
    turn?.take(event, bytes);
    if (turn?.isOver === true) this.#turns.delete(turn);
  }

  /** No turn comes to its end any more. */
  failAll(error: AgentError): void {
    for (const turn of this.#turns) turn.fail(error);
    this.#turns.clear();
  }

  /**
   * By the input line that it blames (GAP-12), else by its prompt; by its session, whose turns come one after another, where
   * a program does not tell the prompt.
   */
  #ownerOf(event: QwenEvent): RunningTurn | undefined {
    const line = event.kind === 'error' ? event.error.line_number : undefined;
    if (line !== undefined) return this.#find((turn) => turn.lineNumber === line);
    const { sessionId, promptId } = event;
    if (sessionId === undefined) return undefined;
    return this.#find((turn) => turn.sessionId === sessionId && (promptId ?? turn.promptId) === turn.promptId);
  }

  #find(fits: (turn: RunningTurn) => boolean): RunningTurn | undefined {
    for (const turn of this.#turns) if (fits(turn)) return turn;
    return undefined;
  }
}
