import { AgentError } from '@qwen/protocol';

export interface HeartbeatParts {
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** Must not throw. */
  readonly send: () => void;
  /** Called once. Must not throw. */
  readonly onTimeout: (error: AgentError) => void;
}

/** Detects a process that hangs. The caller stops it. */
export class Heartbeat {
  readonly #parts: HeartbeatParts;
  #timer: NodeJS.Timeout | undefined;
  #isActive = false;
  #isStopped = false;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#beat();
  }

  markActive(): void {
    this.#isActive = true;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #beat(): void {
    this.#isActive = false;
    this.#parts.send();
    // After the poll phase, when a busy host has read the pipe.
    const check = () => setImmediate(() => setImmediate(() => this.#check()));
    this.#timer = setTimeout(check, this.#parts.timeoutMs);
  }

  #check(): void {
    if (this.#isStopped) return;
    const { intervalMs, timeoutMs, onTimeout } = this.#parts;
    if (this.#isActive) {
      this.#timer = setTimeout(() => this.#beat(), Math.max(0, intervalMs - timeoutMs));
      return;
    }
    onTimeout(
      new AgentError('timeout', `The qwen CLI did not respond to a heartbeat within ${timeoutMs} ms.`, {
        data: { timeoutMs },
      }),
    );
  }
}
