import {
  AgentError,
  type ControlPayload,
  ControlPeer,
  type ControlResult,
  type ControlTracer,
  createDeferred,
  DEFAULT_TIMEOUTS,
  type DecodedLine,
  encodeLine,
  type RequestOptions,
  type SubtypeAskedBy,
} from '@qwen/protocol';
import { type OutputLine, readOutputLine } from '@qwen/protocol/openai';
import { toExitError } from '../exit-error.js';
import { createAppHandlers } from '../handlers/app-handlers.js';
import { HookRegistry } from '../hooks/hook-registry.js';
import { initializePayload, toTimeouts } from '../initialize-payload.js';
import { hostedServers } from '../mcp/hosted-servers.js';
import { McpServerHost } from '../mcp/mcp-server-host.js';
import { OutputFlow } from '../output-flow.js';
import type { ProblemReport } from '../problem-report.js';
import { toFatalFailure } from '../terminal/line-failure.js';
import type { CloseOptions, Transport, TransportExit } from '../transport/transport.js';
import type { CheckedSessionOptions } from './check-session-options.js';
import { checkReceipt, type Receipt, receiptOf, refusalOf } from './receipt.js';

export interface SessionProcessParts {
  readonly options: CheckedSessionOptions;
  /** Not started yet; the process owns and closes it. */
  readonly transport: Transport;
  readonly report: ProblemReport;
  /** Follows the control requests of both sides. Default: nobody does. */
  readonly tracer?: ControlTracer | undefined;
  /** Each line of the program in order, with its length. Must neither wait nor throw. */
  readonly onLine: (output: OutputLine, bytes: number) => void;
  /** The program is of no use any more, by itself and with this reason. Called once, and not after `close`. */
  readonly onLost: (reason: AgentError) => void;
}

/** One CLI that speaks the openai dialect, from its start to its end: lines both ways, and what it asks of the app. */
export class SessionProcess {
  readonly #parts: SessionProcessParts;
  readonly #peer: ControlPeer<'app'>;
  readonly #hooks: HookRegistry;
  readonly #servers: McpServerHost;
  readonly #flow = new OutputFlow();
  readonly #receipt = createDeferred<Receipt>();
  #farewell: AgentError | undefined;
  #sentLines = 0;
  #isOpen = false;
  #isOver = false;

  constructor(parts: SessionProcessParts) {
    const { launch } = parts.options;
    const onProblem = parts.report.problem;
    this.#parts = parts;
    this.#receipt.promise.catch(() => undefined);
    this.#hooks = new HookRegistry(launch.hooks);
    this.#servers = new McpServerHost({
      servers: hostedServers(launch),
      notify: async (serverName, message) => {
        await this.ask('mcp_notification', { server_name: serverName, message });
      },
      onProblem,
    });
    this.#peer = new ControlPeer({
      side: 'app',
      handlers: {
        ...createAppHandlers({
          canUseTool: launch.canUseTool,
          onElicitation: launch.onElicitation,
          onConfirm: launch.onConfirm,
          servers: this.#servers,
          hooks: this.#hooks,
          onProblem,
          isPeer: () => false,
          interrupt: () => undefined,
        }),
      },
      send: (line) => void this.send(line),
      timeouts: toTimeouts(launch.timeout ?? {}),
      onProblem,
      tracer: parts.tracer,
    });
  }

  get pid(): number | undefined {
    return this.#parts.transport.pid;
  }

  /** Settles when the process is gone. Never rejects. */
  get closed(): Promise<TransportExit> {
    return this.#parts.transport.closed;
  }

  /** How many lines were sent: the number of the last one, as the CLI counts them. */
  get sentLines(): number {
    return this.#sentLines;
  }

  /**
   * Starts the program and makes it ready: receipt, its check, and where there is a control channel what the options say
   * over it. Rejects with the reason when it does not get there; `onLost` is then not called, and the process is gone.
   */
  async open(): Promise<Receipt> {
    const { transport, options } = this.#parts;
    const started = transport.start((line) => this.#accept(line));
    // Why it did not start says more than that it is gone.
    Promise.all([transport.closed, started]).then(
      ([exit]) =>
        this.#lose(this.#farewell ?? toExitError({ exit, sessionId: options.sessionId, lastResult: undefined })),
      (error: unknown) => this.#lose(AgentError.from(error)),
    );
    const timer = this.#expectReceipt();
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

  /** Sends one line. Resolves when more can be sent; where the program is gone, `onLost` tells, and nothing rejects. */
  async send(line: object): Promise<void> {
    if (this.#isOver) return;
    const text = encodeLine(line);
    this.#sentLines += 1;
    this.#parts.report.debug(() => `sends ${Buffer.byteLength(text)} bytes`);
    await this.#parts.transport.send(text).catch(() => undefined);
  }

  /** Asks a control request. Rejects with the reason of the end when there is no answer any more. */
  ask<T extends SubtypeAskedBy<'app'>>(
    subtype: T,
    payload: ControlPayload<T>,
    options?: RequestOptions,
  ): Promise<ControlResult<T>> {
    return this.#peer.request(subtype, payload, options);
  }

  /** Whether the program shall hold back what is no answer. */
  setPaused(paused: boolean): void {
    this.#flow.set(paused);
  }

  /** Ends it. Resolves when it is gone; idempotent, never rejects. */
  async close(options?: CloseOptions, reason = closedByApp()): Promise<void> {
    this.#end(reason);
    await this.#parts.transport.close(options);
  }

  /** A receipt that does not come must not be waited for (FB7). */
  #expectReceipt(): NodeJS.Timeout | undefined {
    const { timeout = {} } = this.#parts.options.launch;
    const timeoutMs = toTimeouts(timeout).initialize ?? DEFAULT_TIMEOUTS.initialize;
    if (timeoutMs === 0) return undefined;
    const late = new AgentError('timeout', `The qwen CLI sent no receipt within ${timeoutMs} ms.`);
    return setTimeout(() => this.#receipt.reject(late), timeoutMs);
  }

  async #initialize({ capabilities }: Receipt): Promise<void> {
    const { launch } = this.#parts.options;
    this.#servers.start();
    const answer = await this.#peer.request(
      'initialize',
      initializePayload(launch, { hooks: this.#hooks.registrations }),
    );
    if (answer.capabilities?.outputFlow === true || capabilities?.outputFlow === true) {
      this.#flow.enable((paused) => this.#askForFlow(paused));
    }
  }

  #askForFlow(paused: boolean): void {
    this.#peer.request('set_output_flow', { paused }).catch((error: unknown) => {
      if (!this.#isOver) this.#parts.report.problem(AgentError.from(error));
    });
  }

  #accept(line: DecodedLine): void {
    if (this.#isOver) return;
    const output: OutputLine = line.ok ? readOutputLine(line.text) : { kind: 'invalid', error: line.error };
    const receipt = receiptOf(output);
    if (receipt !== undefined) this.#receipt.resolve(receipt);
    if (output.kind === 'control') this.#peer.accept(output.frame);
    this.#parts.onLine(output, line.ok ? line.text.length : 0);
    const farewell = output.kind === 'fatal' ? toFatalFailure(output.line) : refusalOf(output);
    if (farewell !== undefined) this.#sayFarewell(farewell);
  }

  /** The program says itself why it ends; one that then stays is ended. */
  #sayFarewell(reason: AgentError): void {
    this.#farewell ??= reason;
    void this.#parts.transport.close();
  }

  #lose(reason: AgentError): void {
    if (this.#isOver) return;
    this.#end(reason);
    if (this.#isOpen) this.#parts.onLost(reason);
  }

  #end(reason: AgentError): void {
    if (this.#isOver) return;
    this.#flow.set(false);
    this.#isOver = true;
    this.#receipt.reject(reason);
    this.#peer.close(reason);
    void this.#servers.close();
  }
}

function closedByApp(): AgentError {
  return new AgentError('channel_closed', 'The session has closed.');
}
