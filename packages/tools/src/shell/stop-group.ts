import { Readable } from 'node:stream';

const TERM_GRACE_MS = 1000;

export type EndedBy = 'itself' | 'timeout' | 'abort';

export interface StopOptions {
  readonly group: number;
  /** What gets SIGTERM instead, if the leader of the group only waits for it. */
  readonly innerGroup?: () => number | undefined;
  /** Default: none. */
  readonly timeoutMs?: number | undefined;
  /** When it aborts, the deadline no longer applies. */
  readonly unlimited?: AbortSignal;
  readonly signal: AbortSignal;
}

/** At the deadline or on abort: SIGTERM, then SIGKILL. */
export class GroupStopper implements Disposable {
  readonly #group: number;
  readonly #innerGroup: (() => number | undefined) | undefined;
  readonly #signal: AbortSignal;
  readonly #unlimited: AbortSignal | undefined;
  readonly #deadline: NodeJS.Timeout | undefined;
  readonly #onAbort = () => this.#stop('abort');
  readonly #onUnlimited = () => clearTimeout(this.#deadline);
  #killTimer: NodeJS.Timeout | undefined;
  #endedBy: EndedBy = 'itself';

  constructor({ group, innerGroup, timeoutMs, unlimited, signal }: StopOptions) {
    this.#group = group;
    this.#innerGroup = innerGroup;
    this.#signal = signal;
    this.#unlimited = unlimited;
    if (timeoutMs !== undefined && unlimited?.aborted !== true) {
      this.#deadline = setTimeout(() => this.#stop('timeout'), timeoutMs);
    }
    unlimited?.addEventListener('abort', this.#onUnlimited, { once: true });
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  get endedBy(): EndedBy {
    return this.#endedBy;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#deadline);
    clearTimeout(this.#killTimer);
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#unlimited?.removeEventListener('abort', this.#onUnlimited);
  }

  #stop(reason: EndedBy): void {
    if (this.#endedBy !== 'itself') return;
    this.#endedBy = reason;
    sendSignal(-(this.#innerGroup?.() ?? this.#group), 'SIGTERM');
    this.#killTimer = setTimeout(() => sendSignal(-this.#group, 'SIGKILL'), TERM_GRACE_MS);
  }
}

/** A negative target is a group. */
export function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // ESRCH: it is gone. EPERM: it became another user's process.
  }
}

/** The leader of the namespace leads the group of the command, and ignores SIGTERM. */
export function readInnerGroup(info: unknown): () => number | undefined {
  let text = '';
  if (info instanceof Readable) info.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return () => {
    const pid = Number(/"child-pid": *(\d+)/.exec(text)?.[1]);
    return pid > 1 ? pid : undefined;
  };
}
