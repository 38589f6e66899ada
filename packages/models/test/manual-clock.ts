import type { ModelClock } from '@qwen/models';

interface Wait {
  readonly ms: number;
  readonly callback: () => void;
}

/** A clock whose waits end only when a test says so. */
export class ManualClock implements ModelClock {
  readonly #waits = new Set<Wait>();
  readonly #begun: number[] = [];
  readonly #wanted: { readonly ms: number; readonly fire: (wait: Wait) => void }[] = [];
  readonly #nowMs: number;

  constructor(options: { readonly now?: string } = {}) {
    this.#nowMs = Date.parse(options.now ?? '2030-01-01T00:00:00.000Z');
  }

  /** Waits that are neither over nor cancelled. */
  get pendingCount(): number {
    return this.#waits.size;
  }

  /** How many waits of exactly `ms` have begun. */
  begunCount(ms: number): number {
    return this.#begun.filter((begun) => begun === ms).length;
  }

  wallMs(): number {
    return this.#nowMs;
  }

  random(): number {
    return 0.5;
  }

  startTimer(ms: number, callback: () => void): () => void {
    const wait = { ms, callback };
    this.#waits.add(wait);
    this.#begun.push(ms);
    const position = this.#wanted.findIndex((wanted) => wanted.ms === ms);
    if (position >= 0) this.#wanted.splice(position, 1)[0]?.fire(wait);
    return () => this.#waits.delete(wait);
  }

  /** Ends a wait of exactly `ms`: the one that runs, or the next one that begins. Resolves once it is over. */
  async fire(ms: number): Promise<void> {
    const running = [...this.#waits].find((wait) => wait.ms === ms);
    const wait = running ?? (await new Promise<Wait>((fire) => this.#wanted.push({ ms, fire })));
    if (this.#waits.delete(wait)) wait.callback();
  }
}
