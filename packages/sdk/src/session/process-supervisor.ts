import { AgentError } from '@qwen/protocol';
import { type CloseOptions, NO_EXIT, type TransportExit } from '../transport/transport.js';
import type { Receipt } from './receipt.js';
import type { SessionProcess } from './session-process.js';

export interface ProcessSupervisorParts {
  /** Creates the next process without starting it. May throw. */
  readonly create: (onFailed: (reason: AgentError) => void) => SessionProcess;
  /** Whether to replace a process that fails. */
  readonly restart: boolean;
  readonly onReady: () => void;
  /** A process has failed or is being closed: its pending requests get no answer. */
  readonly onDisconnected: (reason: AgentError) => void;
  /** A process was replaced after failing with this reason. */
  readonly onRestarted: (reason: AgentError) => void;
  /** Called once, when there is no process any more. */
  readonly onEnded: (reason: AgentError) => void;
}

/** Keeps one process running, and replaces it after a failure if `restart` is set. */
export class ProcessSupervisor {
  readonly #parts: ProcessSupervisorParts;
  /** Running or starting. */
  #process: SessionProcess | undefined;
  #isReady = false;
  /** Resolves when the last failed process is gone. */
  #gone = Promise.resolve();
  #receipt: Receipt = {};
  #ready: Promise<SessionProcess> | undefined;
  #ended: AgentError | undefined;
  #isProven = false;
  #exit: TransportExit = NO_EXIT;

  constructor(parts: ProcessSupervisorParts) {
    this.#parts = parts;
  }

  /** The reason of the end; undefined until then. */
  get ended(): AgentError | undefined {
    return this.#ended;
  }

  get receipt(): Receipt {
    return this.#receipt;
  }

  /** The process, if it is ready. */
  get current(): SessionProcess | undefined {
    return this.#isReady ? this.#process : undefined;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Exit status of the last process; valid after the end. */
  get exit(): TransportExit {
    return this.#exit;
  }

  /** Resolves with the process once it is ready. Rejects with the reason of the end. */
  ready(): Promise<SessionProcess> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    this.#ready ??= this.#launch();
    return this.#ready;
  }

  /** The process works: if it fails later, it is worth replacing. */
  markWorking(): void {
    this.#isProven = true;
  }

  /** Ends the process at once, then replaces it or ends. */
  fail(reason: AgentError): void {
    const failed = this.#process;
    if (failed === undefined || this.#ended !== undefined) return;
    this.#process = undefined;
    this.#isReady = false;
    this.#parts.onDisconnected(reason);
    this.#gone = this.#remove(failed, { graceMs: 0 }, reason);
    if (!this.#parts.restart || !this.#isProven) {
      this.#end(reason);
      return;
    }
    // Until the old process is gone, it holds the files of its sessions.
    this.#ready = this.#gone.then(() => this.#launch());
    this.#ready.then(
      () => this.#parts.onRestarted(reason),
      (error: unknown) => this.#end(AgentError.from(error)),
    );
  }

  /** Resolves when the process is gone. Idempotent, never rejects. */
  async close(reason: AgentError, options?: CloseOptions): Promise<void> {
    const isFirst = this.#ended === undefined;
    const closing = this.#process;
    const launching = this.#ready;
    if (isFirst) {
      this.#parts.onDisconnected(reason);
      this.#end(reason);
    }
    if (closing !== undefined) await this.#remove(closing, options, reason);
    await launching?.catch(() => undefined);
    await this.#gone;
  }

  async #launch(): Promise<SessionProcess> {
    this.#isProven = false;
    if (this.#ended !== undefined) throw this.#ended;
    const launched = this.#parts.create((reason) => this.fail(reason));
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
