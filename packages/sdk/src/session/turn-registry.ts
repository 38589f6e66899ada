import type { AgentError } from '@qwen/protocol';
import type { QwenEvent } from '../terminal/events.js';
import type { RunningTurn } from './running-turn.js';

export class TurnRegistry {
  readonly #turns = new Set<RunningTurn>();

  get running(): readonly RunningTurn[] {
    return [...this.#turns];
  }

  add(turn: RunningTurn): void {
    this.#turns.add(turn);
  }

  dispatch(event: QwenEvent, bytes: number): void {
    const turn = this.#turnOf(event);
    turn?.accept(event, bytes);
    if (turn?.isOver === true) this.#turns.delete(turn);
  }

  failAll(error: AgentError): void {
    for (const turn of this.#turns) turn.fail(error);
    this.#turns.clear();
  }

  /** Without a prompt id the oldest turn of the session matches: turns run in order. */
  #turnOf(event: QwenEvent): RunningTurn | undefined {
    const line = event.kind === 'error' ? event.error.line_number : undefined;
    if (line !== undefined) return this.#find((turn) => turn.lineNumber === line);
    const { sessionId, promptId } = event;
    if (sessionId === undefined) return undefined;
    return this.#find((turn) => turn.sessionId === sessionId && (promptId ?? turn.promptId) === turn.promptId);
  }

  #find(matches: (turn: RunningTurn) => boolean): RunningTurn | undefined {
    for (const turn of this.#turns) if (matches(turn)) return turn;
    return undefined;
  }
}
