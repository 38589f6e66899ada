import type { LogItem } from './log-item.js';
import type { LogLimits } from './log-limits.js';
import { eventBytes, type LoggedEvent } from './logged-event.js';
import type { SessionTail } from './session-tail.js';

export interface LagWatchParts {
  readonly tail: SessionTail;
  readonly limits: LogLimits;
  readonly onCut: () => void;
}

const WARNING_SHARE = 0.75;

/** The lag of one reader. Counts only after it has caught up once: reading a long history is not slow. */
export class LagWatch {
  readonly #parts: LagWatchParts;
  #takenBytes: number;
  #isLive = false;
  #isWarned = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: LagWatchParts) {
    this.#parts = parts;
    this.#takenBytes = parts.tail.publishedBytes;
  }

  get bytes(): number {
    return this.#isLive ? this.#parts.tail.publishedBytes - this.#takenBytes : 0;
  }

  /** `endBytes`: `publishedBytes` after the last event read. */
  tookFromTail(endBytes: number): void {
    this.#takenBytes = endBytes;
  }

  tookFromStore(events: readonly LoggedEvent[]): void {
    if (this.#isLive) for (const event of events) this.#takenBytes += eventBytes(event);
  }

  caughtUp(): boolean {
    const isFirst = !this.#isLive;
    this.#isLive = true;
    this.#isWarned = false;
    this.#takenBytes = this.#parts.tail.publishedBytes;
    return isFirst;
  }

  warning(): readonly LogItem[] {
    const { maxLagBytes } = this.#parts.limits;
    const lagBytes = this.bytes;
    if (this.#isWarned || lagBytes <= maxLagBytes * WARNING_SHARE) return [];
    this.#isWarned = true;
    return [{ kind: 'lagging', lagBytes, maxLagBytes }];
  }

  tailMoved(): void {
    const { maxLagBytes, lagGraceMs } = this.#parts.limits;
    if (this.#timer !== undefined || this.bytes <= maxLagBytes) return;
    this.#timer = setTimeout(() => this.#check(), lagGraceMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** A burst does not make a reader slow. */
  #check(): void {
    this.#timer = undefined;
    if (this.bytes > this.#parts.limits.maxLagBytes) this.#parts.onCut();
  }
}
