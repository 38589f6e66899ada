import type { LogItem } from './log-item.js';
import type { LogLimits } from './log-limits.js';
import { eventBytes, type LoggedEvent } from './logged-event.js';
import type { SessionTail } from './session-tail.js';

export interface LagWatchParts {
  readonly tail: SessionTail;
  readonly limits: LogLimits;
  /** Called at most once: the reader has been too far behind for too long. */
  readonly onCut: () => void;
}

/** The share of the allowed lag at which a reader is warned (F122). */
const WARNING_SHARE = 0.75;

/**
 * How far one reader is behind, in bytes. Counts from the moment at which it is up to date for the first time: who reads
 * a long past is not slow.
 */
export class LagWatch {
  readonly #parts: LagWatchParts;
  /** What was published when the reader was where it is. */
  #takenBytes: number;
  #isLive = false;
  #isWarned = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: LagWatchParts) {
    this.#parts = parts;
    this.#takenBytes = parts.tail.publishedBytes;
  }

  /** The reader took from the tail, up to where so much had been published. */
  tookFromTail(endBytes: number): void {
    this.#takenBytes = endBytes;
  }

  /** The reader took events that are no longer in the tail. */
  tookFromStore(events: readonly LoggedEvent[]): void {
    if (this.#isLive) for (const event of events) this.#takenBytes += eventBytes(event);
  }

  /** The reader has everything. True for the first time. */
  caughtUp(): boolean {
    const isFirst = !this.#isLive;
    this.#isLive = true;
    this.#isWarned = false;
    this.#takenBytes = this.#parts.tail.publishedBytes;
    return isFirst;
  }

  /** The warning that is due; one until the reader has caught up again. */
  warning(): readonly LogItem[] {
    const { maxLagBytes } = this.#parts.limits;
    const lagBytes = this.#lagBytes();
    if (this.#isWarned || lagBytes <= maxLagBytes * WARNING_SHARE) return [];
    this.#isWarned = true;
    return [{ kind: 'lagging', lagBytes, maxLagBytes }];
  }

  tailMoved(): void {
    const { maxLagBytes, lagGraceMs } = this.#parts.limits;
    if (this.#timer !== undefined || this.#lagBytes() <= maxLagBytes) return;
    this.#timer = setTimeout(() => this.#look(), lagGraceMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** A burst is not a slow reader: only who is still behind after the grace, measured anew, is cut. */
  #look(): void {
    this.#timer = undefined;
    if (this.#lagBytes() > this.#parts.limits.maxLagBytes) this.#parts.onCut();
  }

  #lagBytes(): number {
    return this.#isLive ? this.#parts.tail.publishedBytes - this.#takenBytes : 0;
  }
}
