import {
  AgentError,
  type ControlLine,
  type ControlPayload,
  ControlPeer,
  type ControlResult,
  createDeferred,
  DEFAULT_TIMEOUTS,
  type DecodedLine,
  encodeLine,
  type RequestOptions,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
  type SubtypeAskedBy,
} from '@qwen/protocol';
import { type Ending, reasonOf, toTraceEnding } from './ending.js';
import { AbortError } from './errors.js';
import { toExitError } from './exit-error.js';
import { createAppHandlers } from './handlers/app-handlers.js';
import { type InitializeResult, shakeHands } from './handshake.js';
import { HookRegistry } from './hooks/hook-registry.js';
import { toTimeouts } from './initialize-payload.js';
import { InputPump } from './input-pump.js';
import { hostedServers } from './mcp/hosted-servers.js';
import { McpServerHost } from './mcp/mcp-server-host.js';
import { MessageStream } from './message-stream.js';
import type { QueryOptions } from './options.js';
import { OutputFlow } from './output-flow.js';
import { refuseImages, unwrapToolCalls } from './peer-cli/peer-messages.js';
import { createProblemReport, type ProblemReport } from './problem-report.js';
import { QueryRouter } from './query-router.js';
import { StructuredOutput } from './structured-output.js';
import type { QueryTrace } from './telemetry/query-trace.js';
import type { CloseOptions, Transport, TransportExit } from './transport/transport.js';

/** What one conversation is made of. */
export interface ConversationParts {
  /** Checked before. */
  readonly options: QueryOptions;
  /** Not started yet; the conversation owns and closes it. */
  readonly transport: Transport;
  /** The id of the session as far as it is known before the CLI says it. */
  readonly sessionId: string | undefined;
  /** The span of the query, in an app that traces; the conversation ends it. Default: none. */
  readonly trace?: QueryTrace | undefined;
}

/** The road from start to end of one query: it wires the parts together, and closes all of them on every way out. */
export class Conversation {
  readonly input: InputPump;
  readonly messages: MessageStream;
  readonly #options: QueryOptions;
  readonly #transport: Transport;
  readonly #report: ProblemReport;
  readonly #trace: QueryTrace | undefined;
  readonly #flow = new OutputFlow();
  readonly #peer: ControlPeer<'app'>;
  readonly #router: QueryRouter;
  readonly #servers: McpServerHost;
  readonly #hooks: HookRegistry;
  readonly #output: StructuredOutput | undefined;
  #sessionId: string | undefined;
  readonly #initialized = createDeferred<InitializeResult>();
  #takesMcpNotifications = false;
  #lastActivityAt: number | undefined;
  #answer: InitializeResult | undefined;
  /** Whether the CLI is the peer's, whose traps are ours to step around (FEATURES D7). */
  #isPeer = false;
  #ending: Ending | undefined;
  #lastResult: SDKResultMessage | undefined;
  #closeTimer: NodeJS.Timeout | undefined;

  constructor({ options, transport, sessionId, trace }: ConversationParts) {
    this.#options = options;
    this.#transport = transport;
    this.#sessionId = sessionId;
    this.#trace = trace;
    this.#report = createProblemReport(options);
    // Whoever never looks at it learns of a failure from the messages.
    this.#initialized.promise.catch(() => undefined);
    const onProblem = this.#report.problem;
    this.#hooks = new HookRegistry(options.hooks);
    this.#output = options.outputSchema && new StructuredOutput(options.outputSchema);
    this.#servers = new McpServerHost({
      servers: hostedServers(options),
      notify: (serverName, message) => this.notify({ server_name: serverName, message }),
      onProblem,
    });
    this.#peer = new ControlPeer({
      side: 'app',
      handlers: createAppHandlers({
        canUseTool: options.canUseTool,
        onElicitation: options.onElicitation,
        onConfirm: options.onConfirm,
        servers: this.#servers,
        hooks: this.#hooks,
        onProblem,
        isPeer: () => this.#isPeer,
        interrupt: () => this.#interrupt(),
      }),
      send: (line) => this.#sendControl(line),
      timeouts: toTimeouts(options.timeout ?? {}),
      onProblem,
      tracer: trace?.control,
    });
    this.messages = new MessageStream({ onFlow: (paused) => this.#flow.set(paused) });
    this.input = new InputPump({
      send: (message) => this.#sendUserMessage(message),
      onFinished: () => this.#endInput(),
    });
    this.#router = new QueryRouter({
      onControl: (frame) => this.#peer.accept(frame),
      onMessage: (message, bytes) => this.#take(message, bytes),
      onProblem,
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

  /** When the CLI last said anything, in milliseconds since 1970; undefined before that. */
  get lastActivityAt(): number | undefined {
    return this.#lastActivityAt;
  }

  /** The answer to `initialize`, once it is there. */
  get answer(): InitializeResult | undefined {
    return this.#answer;
  }

  /** The same to wait for; rejects when there will be none. */
  get initialized(): Promise<InitializeResult> {
    return this.#initialized.promise;
  }

  /** A prompt is there, and what the app does now is what the query belongs to. */
  beginTrace(): void {
    this.#trace?.begin();
  }

  /** Starts the CLI and asks `initialize` while it loads. Failures show in the message stream. */
  start(): void {
    const { signal } = this.#options.abortController ?? {};
    if (signal?.aborted === true) {
      this.#abort();
      return;
    }
    signal?.addEventListener('abort', this.#abort, { once: true });
    // The reader comes first: only a running one sees the answer (CF-53).
    const onLine = (line: DecodedLine) => {
      this.#lastActivityAt = Date.now();
      this.#router.accept(line);
    };
    const started = this.#transport.start(onLine).catch(this.#fail);
    // Why it did not start says more than that it is gone.
    Promise.all([this.#transport.closed, started]).then(([exit]) => this.#onExit(exit), this.#fail);
    this.#initialize().then(this.#initialized.resolve, this.#fail);
    this.#servers.start();
  }

  /** The next message for the app. */
  async next(): Promise<IteratorResult<SDKMessage, undefined>> {
    const item = await this.messages.next();
    if (item.done === true || this.#output === undefined) return item;
    return { done: false, value: await this.#output.judge(item.value) };
  }

  /** Goes on with a turn that was cut short. It has a result of its own, for which the input stays open. */
  async continueLastTurn(): Promise<ControlResult<'continue_last_turn'>> {
    this.input.expectTurn();
    let isAccepted = false;
    try {
      const answer = await this.ask('continue_last_turn', {});
      isAccepted = answer.accepted;
      return answer;
    } finally {
      if (!isAccepted) this.input.answered();
    }
  }

  /** Asks the CLI something, after `initialize` was answered: some CLIs ignore what comes before. */
  async ask<T extends SubtypeAskedBy<'app'>>(
    subtype: T,
    payload: ControlPayload<T>,
    options?: RequestOptions,
  ): Promise<ControlResult<T>> {
    await this.initialized;
    return this.#peer.request(subtype, payload, options);
  }

  /** Carries a notification of an MCP server of this app to the CLI; one that the CLI cannot take is dropped. */
  async notify(payload: ControlPayload<'mcp_notification'>): Promise<void> {
    await this.initialized;
    if (!this.#takesMcpNotifications) {
      this.#report.debug(() => `this CLI takes no notifications; dropped one of the MCP server ${payload.server_name}`);
      return;
    }
    await this.#peer.request('mcp_notification', payload);
  }

  /** Ends everything. Resolves when the CLI is gone; idempotent, never rejects. */
  async close(options?: CloseOptions): Promise<void> {
    this.#end({ kind: 'closed' });
    await this.#transport.close(options);
  }

  /** A source of the app failed: the query fails with that error. */
  failWith(error: unknown): void {
    this.#fail(error);
  }

  async #initialize(): Promise<InitializeResult> {
    const { answer, abilities } = await shakeHands({
      options: this.#options,
      peer: this.#peer,
      hooks: this.#hooks,
      output: this.#output,
      report: this.#report,
    });
    this.#answer = answer;
    this.#sessionId = answer.session_id ?? this.#sessionId;
    this.#takesMcpNotifications = abilities.mcpNotifications;
    this.#isPeer = abilities.isPeer;
    if (abilities.outputFlow) this.#flow.enable((paused) => this.#askForFlow(paused));
    this.input.open();
    return answer;
  }

  #askForFlow(paused: boolean): void {
    this.#peer.request('set_output_flow', { paused }).catch((error: unknown) => {
      this.#report.problem(AgentError.from(error));
    });
  }

  #take(message: SDKMessage, bytes: number): void {
    // The id on the wire is the true one, also after a resume or a fork (B18).
    if (message.type === 'system' && message.subtype === 'init') this.#sessionId = message.session_id;
    this.messages.push(this.#isPeer ? unwrapToolCalls(message) : message, bytes);
    if (message.type !== 'result') return;
    this.#lastResult = message;
    this.input.answered();
  }

  #send(line: SDKUserMessage | ControlLine): Promise<void> {
    const text = encodeLine(line);
    this.#report.debug(() => `sends ${Buffer.byteLength(text)} bytes: ${line.type}`);
    return this.#transport.send(text);
  }

  /** A CLI that takes no more input is about to go, and its exit says why: that is the error to tell. */
  async #sendUserMessage(message: SDKUserMessage): Promise<void> {
    if (this.#isPeer) refuseImages(message);
    try {
      await this.#send(this.#withTrace(message));
    } catch (thrown) {
      if (AgentError.is(thrown) && thrown.code === 'channel_closed') await this.closed;
      throw thrown;
    }
  }

  #withTrace(message: SDKUserMessage): SDKUserMessage {
    const trace = this.#isPeer ? undefined : this.#trace?.ofPrompt();
    return trace === undefined ? message : { trace_context: trace, ...message };
  }

  #sendControl(line: ControlLine): void {
    this.#send(line).catch((error: unknown) => {
      if (!this.ended) this.#report.problem(AgentError.from(error));
    });
  }

  /** All was said and answered: the CLI leaves when its input ends. One that stays is ended after the deadline. */
  #endInput(): void {
    if (this.ended) return;
    this.#transport.endInput();
    const waitMs = toTimeouts(this.#options.timeout ?? {}).streamClose ?? DEFAULT_TIMEOUTS.streamClose;
    if (waitMs > 0) this.#closeTimer = setTimeout(() => void this.#transport.close(), waitMs);
  }

  #onExit(exit: TransportExit): void {
    clearTimeout(this.#closeTimer);
    if (this.input.finished) this.#end({ kind: 'finished' });
    else this.#fail(toExitError({ exit, sessionId: this.#sessionId, lastResult: this.#lastResult }));
  }

  readonly #abort = (): void => {
    this.#end({ kind: 'aborted', error: new AbortError() });
  };

  readonly #fail = (error: unknown): void => {
    this.#end({ kind: 'failed', error });
  };

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#options.abortController?.signal.removeEventListener('abort', this.#abort);
    clearTimeout(this.#closeTimer);
    if (ending.kind !== 'finished') this.#hurry();
    this.input.stop();
    const reason = reasonOf(ending);
    this.#initialized.reject(reason);
    this.#peer.close(AgentError.from(reason));
    this.#trace?.end(toTraceEnding(ending, this.#sessionId, this.#lastResult?.subtype));
    void this.#servers.close();
    if (ending.kind === 'finished') this.messages.end();
    else if (ending.kind === 'failed') this.messages.fail(ending.error);
    else this.messages.drop(ending.kind === 'aborted' ? ending : undefined);
    if (ending.kind === 'aborted' || ending.kind === 'failed') void this.#transport.close();
  }

  /** A CLI in mid-turn would finish its turn first, and a paused one would wait: nobody wants to see either now. */
  #hurry(): void {
    this.#flow.set(false);
    if (this.input.unanswered > 0) this.#interrupt();
  }

  #interrupt(): void {
    this.#peer.request('interrupt', {}).catch(() => undefined);
  }
}
