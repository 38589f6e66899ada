import { AgentError } from '@qwen/protocol';
import type { CloseOptions, TransportExit } from '../transport/transport.js';
import type { Receipt } from './receipt.js';
import type { SessionProcess } from './session-process.js';

export interface ProcessKeeperParts {
  /** Makes the next process, not started. May throw. */
  readonly create: (onLost: (reason: AgentError) => void) => SessionProcess;
  /** Whether a process that is lost is replaced. */
  readonly restart: boolean;
  /** A process is ready. */
  readonly onReady: () => void;
  /** A process is of no use any more, or is being closed: what waits for it will get no answer. */
  readonly onCut: (reason: AgentError) => void;
  /** Another process has taken the place of one that was lost for this reason. */
  readonly onRestarted: (reason: AgentError) => void;
  /** There is no process any more. Called once. */
  readonly onEnded: (reason: AgentError) => void;
}

/** Keeps one process running: the first, and where that is wished each that takes the place of one that was lost. */
export class ProcessKeeper {
  readonly #parts: ProcessKeeperParts;
  /** The one that runs or is about to. */
  #process: SessionProcess | undefined;
  #isReady = false;
  /** Settles when the last one that was lost is gone. */
  #gone = Promise.resolve();
  #receipt: Receipt = {};
  #ready: Promise<SessionProcess> | undefined;
  #ended: AgentError | undefined;
  #hasLived = false;
  #exit: TransportExit = { exitCode: null, signal: null, stderrTail: '' };

  constructor(parts: ProcessKeeperParts) {
    this.#parts = parts;
  }

  /** Why it is over; undefined while it is not. */
  get ended(): AgentError | undefined {
    return this.#ended;
  }

  get receipt(): Receipt {
    return this.#receipt;
  }

  /** The process that is ready, if one is. */
  get current(): SessionProcess | undefined {
    return this.#isReady ? this.#process : undefined;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** How the last process went; of use after the end. */
  get exit(): TransportExit {
    return this.#exit;
  }

  /** The process that lines go to, once there is one. Rejects with the reason of the end. */
  ready(): Promise<SessionProcess> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    this.#ready ??= this.#launch();
    return this.#ready;
  }

  /** The process showed that it works: should it be lost, another one is worth a try. */
  lived(): void {
    this.#hasLived = true;
  }

  /** The process is of no use any more: it is ended at once, then replaced or not. */
  lose(reason: AgentError): void {
    const lost = this.#process;
    if (lost === undefined || this.#ended !== undefined) return;
    this.#process = undefined;
    this.#isReady = false;
    this.#parts.onCut(reason);
    this.#gone = this.#remove(lost, { graceMs: 0 }, reason);
    if (!this.#parts.restart || !this.#hasLived) {
      this.#end(reason);
      return;
    }
    // Only after the old one is gone: until then it holds the files of its sessions.
    this.#ready = this.#gone.then(() => this.#launch());
    this.#ready.then(
      () => this.#parts.onRestarted(reason),
      (error: unknown) => this.#end(AgentError.from(error)),
    );
  }

  /** Ends it for good. Resolves when the process is gone; idempotent, never rejects. */
  async close(reason: AgentError, options?: CloseOptions): Promise<void> {
    const isFirst = this.#ended === undefined;
    const closing = this.#process;
    const launching = this.#ready;
    if (isFirst) {
      this.#parts.onCut(reason);
      this.#end(reason);
    }
    if (closing !== undefined) await this.#remove(closing, options, reason);
    await launching?.catch(() => undefined);
    await this.#gone;
  }

  async #launch(): Promise<SessionProcess> {
    this.#hasLived = false;
    if (this.#ended !== undefined) throw this.#ended;
    const launched = this.#parts.create((reason) => this.lose(reason));
    this.#process = launched;
    this.#receipt = await launched.open();
    this.#isReady = true;
    this.#parts.onReady();
    return launched;
  }

  async #remove(removed: SessionProcess, options: CloseOptions | undefined, reason: AgentError): Promise<void> {
    await removed.close(options, reason);
    this.#exit = await removed.closed;
  }

  #end(reason: AgentError): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#parts.onEnded(reason);
  }
}
