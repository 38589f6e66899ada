import {
  AgentError,
  type ControlPayload,
  type ControlResult,
  type ControlTracer,
  DEFAULT_TIMEOUTS,
  type DecodedLine,
  encodeLine,
  type RequestOptions,
  type SubtypeAskedBy,
} from '@qwen/protocol';
import { type OutputLine, readOutputLine } from '@qwen/protocol/openai';
import { ControlChannel } from '../control/control-channel.js';
import { toExitError } from '../query/exit-error.js';
import { initializePayload, toTimeouts } from '../query/initialize-payload.js';
import type { ProblemReport } from '../query/problem-report.js';
import { toFatalFailure } from '../terminal/line-failure.js';
import type { CloseOptions, Transport, TransportExit } from '../transport/transport.js';
import type { CheckedSessionOptions } from './check-session-options.js';
import { checkReceipt, type Receipt, receiptOf, refusalOf } from './receipt.js';

export interface SessionProcessParts {
  readonly options: CheckedSessionOptions;
  /** Not started. The process owns and closes it. */
  readonly transport: Transport;
  readonly report: ProblemReport;
  readonly tracer?: ControlTracer | undefined;
  /** Must neither wait nor throw. */
  readonly onLine: (output: OutputLine, bytes: number) => void;
  /** Called once, after `open` and before `close`. */
  readonly onFailed: (reason: AgentError) => void;
}

export class SessionProcess {
  readonly #parts: SessionProcessParts;
  readonly #control: ControlChannel;
  readonly #receipt = Promise.withResolvers<Receipt>();
  #exitReason: AgentError | undefined;
  #sentLines = 0;
  #isOpen = false;
  #isOver = false;

  constructor(parts: SessionProcessParts) {
    this.#parts = parts;
    this.#receipt.promise.catch(() => undefined);
    this.#control = new ControlChannel({
      options: parts.options.launch,
      send: (line) => void this.send(line),
      notifyMcpClient: async (serverName, message) => {
        await this.request('mcp_notification', { server_name: serverName, message });
      },
      onProblem: parts.report.problem,
      tracer: parts.tracer,
    });
  }

  get pid(): number | undefined {
    return this.#parts.transport.pid;
  }

  get closed(): Promise<TransportExit> {
    return this.#parts.transport.closed;
  }

  get sentLines(): number {
    return this.#sentLines;
  }

  /** If it rejects, the process is gone and `onFailed` is not called. */
  async open(): Promise<Receipt> {
    const { transport, options } = this.#parts;
    const started = transport.start((line) => this.#accept(line));
    Promise.all([transport.closed, started]).then(
      ([exit]) =>
        this.#fail(this.#exitReason ?? toExitError({ exit, sessionId: options.sessionId, lastResult: undefined })),
      (error: unknown) => this.#fail(AgentError.from(error)),
    );
    const timer = this.#startReceiptTimer();
    try {
      const receipt = await this.#receipt.promise;
      checkReceipt(receipt, options);
      if (receipt.capabilities?.controlChannel === true) await this.#initialize(receipt);
      this.#isOpen = true;
      return receipt;
    } catch (thrown) {
      await this.close({ graceMs: 0 });
      throw thrown;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Throws `invalid_payload`. The promise never rejects: `onFailed` reports a lost program. */
  send(line: object): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    const text = encodeLine(line);
    this.#sentLines += 1;
    this.#parts.report.debug(() => `sends ${Buffer.byteLength(text)} bytes`);
    return this.#parts.transport.send(text).catch(() => undefined);
  }

  request<T extends SubtypeAskedBy<'app'>>(
    subtype: T,
    payload: ControlPayload<T>,
    options?: RequestOptions,
  ): Promise<ControlResult<T>> {
    return this.#control.request(subtype, payload, options);
  }

  setPaused(isPaused: boolean): void {
    this.#control.setPaused(isPaused);
  }

  /** Idempotent, never rejects. */
  async close(options?: CloseOptions, reason = closedByApp()): Promise<void> {
    this.#end(reason);
    await this.#parts.transport.close(options);
  }

  #startReceiptTimer(): NodeJS.Timeout | undefined {
    const { timeout = {} } = this.#parts.options.launch;
    const timeoutMs = toTimeouts(timeout).initialize ?? DEFAULT_TIMEOUTS.initialize;
    if (timeoutMs === 0) return undefined;
    const error = new AgentError(
      'timeout',
      `The qwen CLI did not send its first line within ${timeoutMs} ms. Set options.timeout.initialize to wait longer.`,
    );
    return setTimeout(() => this.#receipt.reject(error), timeoutMs);
  }

  async #initialize({ capabilities }: Receipt): Promise<void> {
    const { launch } = this.#parts.options;
    this.#control.connectServers();
    const payload = initializePayload(launch, { hooks: this.#control.hookRegistrations });
    const answer = await this.#control.request('initialize', payload);
    if (answer.capabilities?.outputFlow === true || capabilities?.outputFlow === true) {
      this.#control.enableOutputFlow();
    }
  }

  #accept(line: DecodedLine): void {
    if (this.#isOver) return;
    const output: OutputLine = line.ok ? readOutputLine(line.text) : { kind: 'invalid', error: line.error };
    const receipt = receiptOf(output);
    if (receipt !== undefined) this.#receipt.resolve(receipt);
    if (output.kind === 'control') this.#control.accept(output.frame);
    this.#parts.onLine(output, line.ok ? line.text.length : 0);
    const exitReason = output.kind === 'fatal' ? toFatalFailure(output.line) : refusalOf(output);
    if (exitReason === undefined) return;
    this.#exitReason ??= exitReason;
    void this.#parts.transport.close();
  }

  #fail(reason: AgentError): void {
    if (this.#isOver) return;
    this.#end(reason);
    if (this.#isOpen) this.#parts.onFailed(reason);
  }

  #end(reason: AgentError): void {
    if (this.#isOver) return;
    this.#control.setPaused(false);
    this.#isOver = true;
    this.#receipt.reject(reason);
    this.#control.close(reason);
  }
}

function closedByApp(): AgentError {
  return new AgentError('channel_closed', 'The session has closed.');
}
