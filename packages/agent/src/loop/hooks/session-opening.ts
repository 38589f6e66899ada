import type { HookMoment } from '../../hook-port.js';
import type { TurnContext } from '../turn-context.js';
import { askHooks } from './ask-hooks.js';
import { toHookContext } from './hook-text.js';

/** How a session came about, in the words of the SessionStart hook. */
export type SessionSource = Exclude<Extract<HookMoment, { event: 'SessionStart' }>['source'], 'compact'>;

/**
 * The beginning of a session: SessionStart hooks hear of it once, before the first prompt is taken, and again when the
 * conversation begins anew.
 */
export class SessionOpening {
  #source: SessionSource;
  #isCurrent = false;
  #context = '';
  #isTold = false;

  constructor(source: SessionSource) {
    this.#source = source;
  }

  /** Whether hooks know of the session: only then they are told of its end. */
  get isTold(): boolean {
    return this.#isTold;
  }

  /** What the model should know from the start; empty when there is nothing, or when a prompt brought it along. */
  async context(turn: TurnContext): Promise<string> {
    if (!this.#isCurrent) {
      this.#isTold = true;
      this.#isCurrent = true;
      const { additionalContext = '' } = await askHooks({ event: 'SessionStart', source: this.#source }, turn);
      if (additionalContext.trim() !== '') this.#context = toHookContext('SessionStart', additionalContext);
    }
    return this.#context;
  }

  /** The conversation is empty again: what the model knew from the start is gone with it. */
  beginAnew(): void {
    this.#source = 'clear';
    this.#isCurrent = false;
    this.#context = '';
  }

  /** The context stands in the conversation now. */
  markTaken(): void {
    this.#context = '';
  }
}
