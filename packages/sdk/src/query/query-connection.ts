import {
  AgentError,
  type ControlLine,
  type ControlPayload,
  type ControlResult,
  DEFAULT_TIMEOUTS,
  type DecodedLine,
  encodeLine,
  isLostResult,
  type JsonRpcMessage,
  type PermissionMode,
  type RequestOptions,
  readFrame,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
  type SubtypeAskedBy,
  withClaudeNames,
} from '@qwen/protocol';
import { ControlChannel } from '../control/control-channel.js';
import { AbortError } from '../errors.js';
import { refuseImages, unwrapToolCalls } from '../foreign-cli/foreign-messages.js';
import type { QueryOptions } from '../options/options.js';
import { StoredTransport } from '../stores/stored-transport.js';
import type { QueryTrace } from '../telemetry/query-trace.js';
import type { CloseOptions, Transport, TransportExit } from '../transport/transport.js';
import { type Ending, queryIsClosed, reasonOf, toTraceEnding } from './ending.js';
import { endingOfExit, reportedError } from './exit-error.js';
import { handshake, type InitializeResult, whenReady } from './handshake.js';
import { toTimeouts } from './initialize-payload.js';
import { InputPump, type Prompt } from './input-pump.js';
import { MessageStream } from './message-stream.js';
import { OwnChanges } from './own-changes.js';
import { createProblemReport, type ProblemReport } from './problem-report.js';
import { StructuredOutput } from './structured-output.js';

export interface QueryParts {
  /** Validated. */
  readonly options: QueryOptions;
  /** Not started. The query owns and closes it. */
  readonly transport: Transport;
  readonly sessionId: string | undefined;
  /** The span of the query, in an app that traces; the query ends it. Default: none. */
  readonly trace?: QueryTrace | undefined;
}

/** Connects the parts of one query and closes all of them at its end. */
export class QueryConnection {
  readonly input: InputPump;
  readonly ownChanges = new OwnChanges();
  readonly #messages: MessageStream;
  readonly #options: QueryOptions;
  readonly #transport: Transport;
  readonly #stored: StoredTransport | undefined;
  readonly #report: ProblemReport;
  readonly #trace: QueryTrace | undefined;
  readonly #control: ControlChannel;
  readonly #output: StructuredOutput | undefined;
  readonly #initialized = Promise.withResolvers<InitializeResult>();
  #sessionId: string | undefined;
  #takesMcpNotifications = false;
  #lastActivityAt: number | undefined;
  #answer: InitializeResult | undefined;
  #ending: Ending | undefined;
  #isClosed = false;
  #lastResult: SDKResultMessage | undefined;
  #reported: AgentError | undefined;
  #closeTimer: NodeJS.Timeout | undefined;

  constructor({ options, transport, sessionId, trace }: QueryParts) {
    this.#options = options;
    this.#transport = transport;
    this.#stored = transport instanceof StoredTransport ? transport : undefined;
    this.#sessionId = sessionId;
    this.#trace = trace;
    this.#report = createProblemReport(options);
    // Apps that ignore it get the failure from the messages.
    this.#initialized.promise.catch(() => undefined);
    this.#output = options.outputSchema && new StructuredOutput(options.outputSchema);
    this.#control = new ControlChannel({
      options,
      send: (line) => {
        this.#send(line).catch((error: unknown) => this.ended || this.#report.problem(AgentError.from(error)));
      },
      notifyMcpClient: (serverName, message) => this.notifyMcpClient(serverName, message),
      onProblem: this.#report.problem,
      tracer: trace?.control,
    });
    const onFlow = (paused: boolean) => this.#control.setPaused(paused);
    this.#messages = new MessageStream({ onFlow, stored: this.#stored, report: this.#report });
    this.input = new InputPump({
      send: (message) => this.#sendUserMessage(message),
      onFinished: () => this.#endInput(),
    });
  }

  /** Switches the mode. Without `asksApp`, `canUseTool` is no longer called. */
  async setPermissionMode(mode: PermissionMode, asksApp: boolean): Promise<void> {
    const before = this.#control.asksApp;
    this.#control.asksApp &&= asksApp;
    let now = before;
    try {
      await this.ownChanges.expect('permission_mode_changed', mode, () =>
        this.request('set_permission_mode', { mode }),
      );
      now = asksApp;
    } finally {
      this.#control.asksApp = now;
    }
  }

  get sessionId(): string | undefined {
    return this.#stored?.sessionId ?? this.#sessionId;
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

  get lastActivityAt(): number | undefined {
    return this.#lastActivityAt;
  }

  get answer(): InitializeResult | undefined {
    return this.#answer;
  }

  get initialized(): Promise<InitializeResult> {
    return this.#initialized.promise;
  }

  /** Sent once the CLI is ready. Input ends after a string. */
  sendPrompt(prompt: Prompt): void {
    this.#trace?.begin();
    this.input.sendPrompt(prompt).catch(this.fail);
  }

  /** Once. Failures go to the messages. */
  start(): void {
    const { signal } = this.#options.abortController ?? {};
    if (signal?.aborted === true) return this.#abort();
    signal?.addEventListener('abort', this.#abort, { once: true });
    const started = this.#transport.start((line) => this.#accept(line)).catch(this.fail);
    Promise.all([this.#transport.closed, started]).then(([exit]) => this.#onExit(exit), this.fail);
    this.#initialize(this.#stored && started).then(this.#initialized.resolve, this.fail);
    this.#control.connectServers();
  }

  async next(): Promise<IteratorResult<SDKMessage, undefined>> {
    const item = await this.#messages.next();
    if (item.done === true || this.#output === undefined) return item;
    return { done: false, value: await this.#output.validate(item.value) };
  }

  /** The continued turn has its own result: input stays open for it. */
  async continueLastTurn(): Promise<ControlResult<'continue_last_turn'>> {
    this.assertNotClosed();
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

  /** Waits for `initialize`: some CLIs ignore earlier requests. */
  async request<T extends SubtypeAskedBy<'app'>>(
    subtype: T,
    payload: ControlPayload<T>,
    options?: RequestOptions,
  ): Promise<ControlResult<T>> {
    this.assertNotClosed();
    await whenReady(this.initialized, options?.signal);
    return this.#control.request(subtype, payload, options);
  }

  async setMcpServers(servers: NonNullable<QueryOptions['mcpServers']>): Promise<ControlResult<'mcp_set_servers'>> {
    this.assertNotClosed();
    await this.initialized;
    return this.#control.setMcpServers(servers);
  }

  async notifyMcpClient(serverName: string, message: JsonRpcMessage): Promise<void> {
    await this.initialized;
    if (!this.#takesMcpNotifications) {
      this.#report.debug(() => `dropped a notification of MCP server ${serverName}: this CLI takes none`);
      return;
    }
    await this.#control.request('mcp_notification', { server_name: serverName, message });
  }

  /** Idempotent, never rejects. `isLeft`: at the end of the loop over the messages. */
  async close(options?: CloseOptions, isLeft = false): Promise<void> {
    this.#isClosed ||= !isLeft;
    if (!this.ended && this.#answer !== undefined && this.#control.hasEndHooks) {
      this.input.stop();
      await this.#control.endSession('other');
    }
    this.#end({ kind: 'closed', isLeft });
    await this.#transport.close(options);
  }

  /** Throws `channel_closed`. */
  assertNotClosed(): void {
    if (this.#isClosed) throw queryIsClosed();
    const ending = this.#ending;
    if (ending?.kind === 'closed' || ending?.kind === 'finished') throw reasonOf(ending);
    if (ending?.kind === 'aborted') throw queryIsClosed();
  }

  readonly fail = (error: unknown): void => {
    this.#end({ kind: 'failed', error });
  };

  async #initialize(isReady: Promise<void> | undefined): Promise<InitializeResult> {
    const parts = { options: this.#options, control: this.#control, output: this.#output, report: this.#report };
    const { answer, abilities } = await handshake({ ...parts, isReady });
    this.#answer = answer;
    this.#sessionId = answer.session_id ?? this.#sessionId;
    this.#takesMcpNotifications = abilities.mcpNotifications;
    this.#control.isForeignCli = abilities.isForeignCli;
    this.#report.info(() => `the CLI is ready, session ${this.#sessionId}`);
    if (abilities.outputFlow) this.#control.enableOutputFlow();
    this.input.open();
    return answer;
  }

  /** Synchronous: a callback must not delay the next line. */
  #accept(line: DecodedLine): void {
    this.#lastActivityAt = Date.now();
    if (!line.ok) {
      this.#refuse(line.error, String(line.error.data['excerpt']));
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
      case 'unknown': // From a newer CLI.
        this.#acceptMessage(frame.value as SDKMessage, line.text.length);
        return;
      case 'invalid':
        this.#refuse(frame.error, line.text);
    }
  }

  /** A line costs only itself, except a result: its turn would never end. */
  #refuse(error: AgentError, text: string): void {
    this.#report.problem(error);
    if (isLostResult(text)) this.fail(error);
  }

  #acceptMessage(message: SDKMessage, bytes: number): void {
    const reported = reportedError(message);
    if (reported !== undefined) {
      this.#reported = reported;
      return;
    }
    // Authoritative, also after a resume or a fork.
    if (message.type === 'system' && message.subtype === 'init') this.#sessionId = message.session_id;
    if (this.ownChanges.take(message)) return;
    const unwrapped = this.#control.isForeignCli ? unwrapToolCalls(message) : message;
    this.#messages.push(this.#options.toolNames === 'claude' ? withClaudeNames(unwrapped) : unwrapped, bytes);
    if (message.type === 'user') this.input.taken(message);
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
    const { isForeignCli } = this.#control;
    if (isForeignCli) refuseImages(message);
    const literal = this.#options.verbatimPrompts === true && { is_literal: true };
    const trace = isForeignCli ? undefined : this.#trace?.forPrompt();
    try {
      await this.#send({ ...literal, ...(trace !== undefined && { trace_context: trace }), ...message });
    } catch (thrown) {
      // The exit explains why the input closed.
      if (AgentError.is(thrown) && thrown.code === 'channel_closed') await this.closed;
      throw thrown;
    }
  }

  /** The CLI exits at the end of its input, or is ended after the deadline. */
  #endInput(): void {
    if (this.ended) return;
    if (this.#control.hasEndHooks)
      void this.#control.endSession('prompt_input_exit').then(() => this.#transport.endInput());
    else this.#transport.endInput();
    const waitMs = toTimeouts(this.#options.timeout ?? {}).streamClose ?? DEFAULT_TIMEOUTS.streamClose;
    if (waitMs > 0) this.#closeTimer = setTimeout(() => void this.#transport.close(), waitMs);
  }

  #onExit(exit: TransportExit): void {
    clearTimeout(this.#closeTimer);
    const facts = { exit, sessionId: this.#sessionId, lastResult: this.#lastResult, reported: this.#reported };
    this.#end(endingOfExit(facts, this.input.finished));
  }

  readonly #abort = (): void => {
    const { reason: cause } = this.#options.abortController?.signal ?? {};
    this.#end({ kind: 'aborted', error: new AbortError(undefined, { cause }) });
  };

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#options.abortController?.signal.removeEventListener('abort', this.#abort);
    clearTimeout(this.#closeTimer);
    if (ending.kind !== 'finished') {
      // A running turn would delay the exit, and a paused CLI would wait for room.
      this.#control.setPaused(false);
      if (this.input.unanswered > 0) this.#control.interrupt();
    }
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
}
