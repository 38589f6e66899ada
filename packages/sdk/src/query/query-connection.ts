import {
  AgentError,
  type ControlLine,
  type ControlPayload,
  type ControlResult,
  createDeferred,
  DEFAULT_TIMEOUTS,
  type DecodedLine,
  encodeLine,
  type JsonRpcMessage,
  type RequestOptions,
  readFrame,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
  type SubtypeAskedBy,
} from '@qwen/protocol';
import { ControlChannel } from '../control/control-channel.js';
import { AbortError } from '../errors.js';
import { refuseImages, unwrapToolCalls } from '../foreign-cli/foreign-messages.js';
import type { QueryOptions } from '../options/options.js';
import type { QueryTrace } from '../telemetry/query-trace.js';
import type { CloseOptions, Transport, TransportExit } from '../transport/transport.js';
import { type Ending, reasonOf, toTraceEnding } from './ending.js';
import { toExitError } from './exit-error.js';
import { handshake, type InitializeResult } from './handshake.js';
import { toTimeouts } from './initialize-payload.js';
import { InputPump } from './input-pump.js';
import { MessageStream } from './message-stream.js';
import { createProblemReport, type ProblemReport } from './problem-report.js';
import { StructuredOutput } from './structured-output.js';

/** What a {@link Query} is made of. */
export interface QueryParts {
  /** Validated. */
  readonly options: QueryOptions;
  /** Not started. The query owns and closes it. */
  readonly transport: Transport;
  /** The session id, if known before the CLI reports it. */
  readonly sessionId: string | undefined;
  /** The span of the query, in an app that traces; the query ends it. Default: none. */
  readonly trace?: QueryTrace | undefined;
}

/** Connects input, messages, control channel and transport of one query, and closes all of them when it ends. */
export class QueryConnection {
  readonly input: InputPump;
  readonly #messages: MessageStream;
  readonly #options: QueryOptions;
  readonly #transport: Transport;
  readonly #report: ProblemReport;
  readonly #trace: QueryTrace | undefined;
  readonly #control: ControlChannel;
  readonly #output: StructuredOutput | undefined;
  readonly #initialized = createDeferred<InitializeResult>();
  #sessionId: string | undefined;
  #takesMcpNotifications = false;
  #lastActivityAt: number | undefined;
  #answer: InitializeResult | undefined;
  #ending: Ending | undefined;
  #lastResult: SDKResultMessage | undefined;
  #closeTimer: NodeJS.Timeout | undefined;

  constructor({ options, transport, sessionId, trace }: QueryParts) {
    this.#options = options;
    this.#transport = transport;
    this.#sessionId = sessionId;
    this.#trace = trace;
    this.#report = createProblemReport(options);
    // An app that never reads it gets the failure from the messages.
    this.#initialized.promise.catch(() => undefined);
    this.#output = options.outputSchema && new StructuredOutput(options.outputSchema);
    this.#control = new ControlChannel({
      options,
      send: (line) => this.#sendControl(line),
      notifyMcpClient: (serverName, message) => this.notifyMcpClient(serverName, message),
      onProblem: this.#report.problem,
      tracer: trace?.control,
    });
    this.#messages = new MessageStream({ onFlow: (paused) => this.#control.setPaused(paused) });
    this.input = new InputPump({
      send: (message) => this.#sendUserMessage(message),
      onFinished: () => this.#endInput(),
    });
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get ended(): boolean {
    return this.#ending !== undefined;
  }

  get closed(): Promise<TransportExit> {
    return this.#transport.closed;
  }

  get pid(): number | undefined {
    return this.#transport.pid;
  }

  /** Milliseconds since 1970; undefined before the first line. */
  get lastActivityAt(): number | undefined {
    return this.#lastActivityAt;
  }

  /** The answer to `initialize`, once it has arrived. */
  get answer(): InitializeResult | undefined {
    return this.#answer;
  }

  /** Rejects if the query ends before the answer arrives. */
  get initialized(): Promise<InitializeResult> {
    return this.#initialized.promise;
  }

  /** Starts the span of the query, as a child of the span that is active now. */
  beginTrace(): void {
    this.#trace?.begin();
  }

  /** Starts the CLI and sends `initialize` while it loads. Failures go to the messages. */
  start(): void {
    const { signal } = this.#options.abortController ?? {};
    if (signal?.aborted === true) {
      this.#abort();
      return;
    }
    signal?.addEventListener('abort', this.#abort, { once: true });
    const started = this.#transport.start((line) => this.#accept(line)).catch(this.fail);
    // A failed start explains more than the exit that follows from it.
    Promise.all([this.#transport.closed, started]).then(([exit]) => this.#onExit(exit), this.fail);
    this.#initialize().then(this.#initialized.resolve, this.fail);
    this.#control.connectServers();
  }

  /** The next message for the app. */
  async next(): Promise<IteratorResult<SDKMessage, undefined>> {
    const item = await this.#messages.next();
    if (item.done === true || this.#output === undefined) return item;
    return { done: false, value: await this.#output.validate(item.value) };
  }

  /** The continued turn has its own result: input stays open for it. */
  async continueLastTurn(): Promise<ControlResult<'continue_last_turn'>> {
    this.input.expectTurn();
    let isAccepted = false;
    try {
      const answer = await this.request('continue_last_turn', {});
      isAccepted = answer.accepted;
      return answer;
    } finally {
      if (!isAccepted) this.input.answered();
    }
  }

  /** Sends a control request after `initialize` is answered: some CLIs ignore earlier ones. */
  async request<T extends SubtypeAskedBy<'app'>>(
    subtype: T,
    payload: ControlPayload<T>,
    options?: RequestOptions,
  ): Promise<ControlResult<T>> {
    await this.initialized;
    return this.#control.request(subtype, payload, options);
  }

  /** Sends a notification from an in-process MCP server; drops it if the CLI does not support notifications. */
  async notifyMcpClient(serverName: string, message: JsonRpcMessage): Promise<void> {
    await this.initialized;
    if (!this.#takesMcpNotifications) {
      this.#report.debug(() => `dropped a notification of MCP server ${serverName}: this CLI takes none`);
      return;
    }
    await this.#control.request('mcp_notification', { server_name: serverName, message });
  }

  /** Resolves when the CLI is gone. Idempotent, never rejects. */
  async close(options?: CloseOptions): Promise<void> {
    this.#end({ kind: 'closed' });
    await this.#transport.close(options);
  }

  /** Ends the query; the iteration throws the error. */
  readonly fail = (error: unknown): void => {
    this.#end({ kind: 'failed', error });
  };

  async #initialize(): Promise<InitializeResult> {
    const { answer, abilities } = await handshake({
      options: this.#options,
      control: this.#control,
      output: this.#output,
      report: this.#report,
    });
    this.#answer = answer;
    this.#sessionId = answer.session_id ?? this.#sessionId;
    this.#takesMcpNotifications = abilities.mcpNotifications;
    this.#control.isForeignCli = abilities.isForeignCli;
    if (abilities.outputFlow) this.#control.enableOutputFlow();
    this.input.open();
    return answer;
  }

  /** Synchronous throughout: a callback of the app must not delay the next line. */
  #accept(line: DecodedLine): void {
    this.#lastActivityAt = Date.now();
    if (!line.ok) {
      this.#report.problem(line.error);
      return;
    }
    const frame = readFrame(line.text);
    switch (frame.kind) {
      case 'control':
        this.#control.accept(frame.frame);
        return;
      case 'message':
        this.#acceptMessage(frame.message, line.text.length);
        return;
      case 'unknown':
        // Sent by a newer CLI: the app gets it unchanged.
        this.#acceptMessage(frame.value as SDKMessage, line.text.length);
        return;
      case 'invalid':
        this.#report.problem(frame.error);
    }
  }

  #acceptMessage(message: SDKMessage, bytes: number): void {
    // The id on the wire is authoritative, also after a resume or a fork.
    if (message.type === 'system' && message.subtype === 'init') this.#sessionId = message.session_id;
    this.#messages.push(this.#control.isForeignCli ? unwrapToolCalls(message) : message, bytes);
    if (message.type !== 'result') return;
    this.#lastResult = message;
    this.input.answered();
  }

  #send(line: SDKUserMessage | ControlLine): Promise<void> {
    const text = encodeLine(line);
    this.#report.debug(() => `sends ${Buffer.byteLength(text)} bytes: ${line.type}`);
    return this.#transport.send(text);
  }

  async #sendUserMessage(message: SDKUserMessage): Promise<void> {
    if (this.#control.isForeignCli) refuseImages(message);
    try {
      await this.#send(this.#withTrace(message));
    } catch (thrown) {
      // A CLI that takes no more input is about to exit, and its exit explains why.
      if (AgentError.is(thrown) && thrown.code === 'channel_closed') await this.closed;
      throw thrown;
    }
  }

  #withTrace(message: SDKUserMessage): SDKUserMessage {
    const trace = this.#control.isForeignCli ? undefined : this.#trace?.forPrompt();
    return trace === undefined ? message : { trace_context: trace, ...message };
  }

  #sendControl(line: ControlLine): void {
    this.#send(line).catch((error: unknown) => {
      if (!this.ended) this.#report.problem(AgentError.from(error));
    });
  }

  /** Every prompt is answered: the CLI exits at the end of its input, or is ended after the deadline. */
  #endInput(): void {
    if (this.ended) return;
    this.#transport.endInput();
    const waitMs = toTimeouts(this.#options.timeout ?? {}).streamClose ?? DEFAULT_TIMEOUTS.streamClose;
    if (waitMs > 0) this.#closeTimer = setTimeout(() => void this.#transport.close(), waitMs);
  }

  #onExit(exit: TransportExit): void {
    clearTimeout(this.#closeTimer);
    if (this.input.finished) this.#end({ kind: 'finished' });
    else this.fail(toExitError({ exit, sessionId: this.#sessionId, lastResult: this.#lastResult }));
  }

  readonly #abort = (): void => {
    this.#end({ kind: 'aborted', error: new AbortError() });
  };

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#options.abortController?.signal.removeEventListener('abort', this.#abort);
    clearTimeout(this.#closeTimer);
    if (ending.kind !== 'finished') this.#cancelPending();
    this.input.stop();
    const reason = reasonOf(ending);
    this.#initialized.reject(reason);
    this.#control.close(AgentError.from(reason));
    this.#trace?.end(toTraceEnding(ending, this.#sessionId, this.#lastResult?.subtype));
    if (ending.kind === 'finished') this.#messages.end();
    else if (ending.kind === 'failed') this.#messages.fail(ending.error);
    else this.#messages.drop(ending.kind === 'aborted' ? ending : undefined);
    if (ending.kind === 'aborted' || ending.kind === 'failed') void this.#transport.close();
  }

  /** Without this a CLI would finish its turn first, and a paused one would wait for room. */
  #cancelPending(): void {
    this.#control.setPaused(false);
    if (this.input.unanswered > 0) this.#control.interrupt();
  }
}
