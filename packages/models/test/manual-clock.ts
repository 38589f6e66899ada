import type { ModelClock } from '@qwen/models';

interface Wait {
  readonly ms: number;
  readonly callback: () => void;
}

/** A clock that tests advance. */
export class ManualClock implements ModelClock {
  readonly #waits = new Set<Wait>();
  readonly #begun: number[] = [];
  readonly #wanted: { readonly ms: number; readonly fire: (wait: Wait) => void }[] = [];
  readonly #nowMs: number;

  constructor(options: { readonly now?: string } = {}) {
    this.#nowMs = Date.parse(options.now ?? '2030-01-01T00:00:00.000Z');
  }

  get pendingCount(): number {
    return this.#waits.size;
  }

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

  /** Fires a timer of exactly `ms`: the pending one, or the next one that starts. */
  async fire(ms: number): Promise<void> {
    const running = [...this.#waits].find((wait) => wait.ms === ms);
    const wait = running ?? (await new Promise<Wait>((fire) => this.#wanted.push({ ms, fire })));
    if (this.#waits.delete(wait)) wait.callback();
  }
}
