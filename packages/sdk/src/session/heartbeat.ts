import { AgentError } from '@qwen/protocol';

export interface HeartbeatParts {
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** Sends one request. Must not throw. */
  readonly ask: () => void;
  /** The process is hung, with `timeout`. Called once; no further request is sent. Must not throw. */
  readonly onSilent: (error: AgentError) => void;
}

/** Asks a process for signs of life and says when there are none (H-06): a dead man's switch. Whoever starts it stops it. */
export class Heartbeat {
  readonly #parts: HeartbeatParts;
  #timer: NodeJS.Timeout | undefined;
  #hasHeard = false;
  #isStopped = false;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#beat();
  }

  /** The process said something. */
  heard(): void {
    this.#hasHeard = true;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #beat(): void {
    this.#hasHeard = false;
    this.#parts.ask();
    // A host that was busy itself first reads what waits in the pipe: the look comes after the poll phase.
    const look = () => setImmediate(() => setImmediate(() => this.#judge()));
    this.#timer = setTimeout(look, this.#parts.timeoutMs);
  }

  #judge(): void {
    if (this.#isStopped) return;
    const { intervalMs, timeoutMs, onSilent } = this.#parts;
    if (this.#hasHeard) {
      this.#timer = setTimeout(() => this.#beat(), Math.max(0, intervalMs - timeoutMs));
      return;
    }
    onSilent(
      new AgentError('timeout', `The qwen CLI gave no sign of life within ${timeoutMs} ms.`, { data: { timeoutMs } }),
    );
  }
}
