import { AgentError } from '@qwen/protocol';
import { type CloseOptions, NO_EXIT, type TransportExit } from '../transport/transport.js';
import type { Receipt } from './receipt.js';
import type { SessionProcess } from './session-process.js';

export interface ProcessSupervisorParts {
  /** Not started. May throw. */
  readonly create: (onFailed: (reason: AgentError) => void) => SessionProcess;
  readonly restart: boolean;
  readonly onReady: () => void;
  readonly onDisconnected: (reason: AgentError) => void;
  readonly onRestarted: (reason: AgentError) => void;
  /** Called once. */
  readonly onEnded: (reason: AgentError) => void;
}

/** Keeps one process running; replaces it after a failure with `restart`. */
export class ProcessSupervisor {
  readonly #parts: ProcessSupervisorParts;
  #process: SessionProcess | undefined;
  #isReady = false;
  #gone = Promise.resolve();
  #receipt: Receipt = {};
  #ready: Promise<SessionProcess> | undefined;
  #ended: AgentError | undefined;
  #isProven = false;
  #exit: TransportExit = NO_EXIT;

  constructor(parts: ProcessSupervisorParts) {
    this.#parts = parts;
  }

  get ended(): AgentError | undefined {
    return this.#ended;
  }

  get receipt(): Receipt {
    return this.#receipt;
  }

  get current(): SessionProcess | undefined {
    return this.#isReady ? this.#process : undefined;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get exit(): TransportExit {
    return this.#exit;
  }

  ready(): Promise<SessionProcess> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    this.#ready ??= this.#launch();
    return this.#ready;
  }

  /** A process that never worked is not replaced. */
  markWorking(): void {
    this.#isProven = true;
  }

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
    // The old process holds the files of its sessions.
    this.#ready = this.#gone.then(() => this.#launch());
    this.#ready.then(
      () => this.#parts.onRestarted(reason),
      (error: unknown) => this.#end(AgentError.from(error)),
    );
  }

  /** Idempotent, never rejects. */
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
