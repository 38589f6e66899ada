import type { Configuration } from '@qwen/host/config/load-config.js';

/** An app with a prompt ready sends it within this time after `initialize`. */
const PROMPT_FOLLOWS_MS = 20;

export interface WarmUpOptions {
  readonly configuration: Configuration;
  readonly isIdle: () => boolean;
}

/** Preloads modules for the first turn, after the first answer was written. */
export class WarmUp {
  readonly #options: WarmUpOptions;
  #isBegun = false;

  constructor(options: WarmUpOptions) {
    this.#options = options;
  }

  /** Idempotent. Load errors surface in the turn that needs the module. */
  begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    setImmediate(() => {
      import('@qwen/host/compose.js').then(({ warmUp }) => this.#loadProvider(warmUp)).catch(() => undefined);
    });
  }

  /** An immediate prompt starts its turn before the provider library loads. */
  #loadProvider(warmUp: (configuration: Configuration) => Promise<void>): void {
    const { configuration, isIdle } = this.#options;
    const timer = setTimeout(() => {
      if (isIdle()) warmUp(configuration).catch(() => undefined);
    }, PROMPT_FOLLOWS_MS);
    timer.unref();
  }
}
