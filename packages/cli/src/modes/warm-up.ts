import type { Configuration } from '@qwen/host/config/load-config.js';

/** An app that has its prompt ready sends it within this time after `initialize` was answered, in milliseconds. */
const PROMPT_FOLLOWS_MS = 20;

export interface WarmUpOptions {
  readonly configuration: Configuration;
  /** Whether no prompt waits for its answer. */
  readonly isIdle: () => boolean;
}

/** Loads what the first turn needs while the app still thinks; not before the first answer is out. */
export class WarmUp {
  readonly #options: WarmUpOptions;
  #isBegun = false;

  constructor(options: WarmUpOptions) {
    this.#options = options;
  }

  /** Idempotent. What cannot be loaded is told by the turn that needs it. */
  begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    setImmediate(() => {
      import('@qwen/host/compose.js').then(({ warmUp }) => this.#loadProvider(warmUp)).catch(() => undefined);
    });
  }

  /** A prompt that comes at once must not wait for the provider's library: its turn begins first, then loads it. */
  #loadProvider(warmUp: (configuration: Configuration) => Promise<void>): void {
    const { configuration, isIdle } = this.#options;
    const timer = setTimeout(() => {
      if (isIdle()) warmUp(configuration).catch(() => undefined);
    }, PROMPT_FOLLOWS_MS);
    timer.unref();
  }
}
