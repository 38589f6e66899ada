import type { HookMoment } from '../../hook-port.js';
import type { TurnContext } from '../turn-context.js';
import { toHookContext } from './hook-text.js';
import { runHooks } from './run-hooks.js';

export type SessionSource = Exclude<Extract<HookMoment, { event: 'SessionStart' }>['source'], 'compact'>;

/** Runs SessionStart hooks before the first prompt, and again after the conversation is cleared. */
export class SessionStartHooks {
  #source: SessionSource;
  #isLoaded = false;
  #context = '';
  #hasRun = false;

  constructor(source: SessionSource) {
    this.#source = source;
  }

  /** SessionEnd hooks run only after SessionStart. */
  get hasRun(): boolean {
    return this.#hasRun;
  }

  /** For the next prompt; empty once delivered. */
  async context(turn: TurnContext): Promise<string> {
    if (!this.#isLoaded) {
      this.#hasRun = true;
      this.#isLoaded = true;
      const { additionalContext = '' } = await runHooks({ event: 'SessionStart', source: this.#source }, turn);
      if (additionalContext.trim() !== '') this.#context = toHookContext('SessionStart', additionalContext);
    }
    return this.#context;
  }

  restart(): void {
    this.#source = 'clear';
    this.#isLoaded = false;
    this.#context = '';
  }

  markDelivered(): void {
    this.#context = '';
  }
}
