import type { HookMoment } from '../../hook-port.js';
import type { TurnContext } from '../turn-context.js';
import { toHookContext } from './hook-text.js';
import { runHooks } from './run-hooks.js';

/** How a session came about, in the words of the SessionStart hook. */
export type SessionSource = Exclude<Extract<HookMoment, { event: 'SessionStart' }>['source'], 'compact'>;

/**
 * The beginning of a session: SessionStart hooks hear of it once, before the first prompt is taken, and again when the
 * conversation begins anew.
 */
export class SessionStartHooks {
  #source: SessionSource;
  #isLoaded = false;
  #context = '';
  #hasRun = false;

  constructor(source: SessionSource) {
    this.#source = source;
  }

  /** Whether hooks know of the session: only then they are told of its end. */
  get hasRun(): boolean {
    return this.#hasRun;
  }

  /** What the model should know from the start; empty when there is nothing, or when a prompt brought it along. */
  async context(turn: TurnContext): Promise<string> {
    if (!this.#isLoaded) {
      this.#hasRun = true;
      this.#isLoaded = true;
      const { additionalContext = '' } = await runHooks({ event: 'SessionStart', source: this.#source }, turn);
      if (additionalContext.trim() !== '') this.#context = toHookContext('SessionStart', additionalContext);
    }
    return this.#context;
  }

  /** The conversation is empty again: what the model knew from the start is gone with it. */
  restart(): void {
    this.#source = 'clear';
    this.#isLoaded = false;
    this.#context = '';
  }

  /** The context stands in the conversation now. */
  markDelivered(): void {
    this.#context = '';
  }
}
