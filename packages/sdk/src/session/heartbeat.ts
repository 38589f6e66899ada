import { AgentError } from '@qwen/protocol';

export interface HeartbeatParts {
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** Sends one request. Must not throw. */
  readonly send: () => void;
  /** Called once, with `timeout`, when the process hangs; no more requests follow. Must not throw. */
  readonly onTimeout: (error: AgentError) => void;
}

/** Sends heartbeat requests and detects a process that hangs. The caller stops it. */
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

  /** A line of the process has arrived. */
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
    // After the poll phase: a host that was busy has then read what waited in the pipe.
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
