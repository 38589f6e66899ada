import {
  AgentError,
  type ControlPayload,
  type ControlResult,
  DEFAULT_TIMEOUTS,
  type SubtypeAskedBy,
} from '@qwen/protocol';
import type { OutputLine } from '@qwen/protocol/openai';
import { endingOf, toTraceEnding } from '../ending.js';
import { AbortError } from '../errors.js';
import { toTimeouts } from '../initialize-payload.js';
import { createProblemReport, type ProblemReport } from '../problem-report.js';
import type { QueryTrace } from '../telemetry/query-trace.js';
import { EventReader } from '../terminal/event-reader.js';
import type { QwenEvent } from '../terminal/events.js';
import type { CloseOptions, Transport, TransportExit } from '../transport/transport.js';
import type { CancelAnswer, HeartbeatAnswer } from './answers.js';
import type { TurnPlace } from './chat-requests.js';
import type { CheckedSessionOptions } from './check-session-options.js';
import { EventStream, FlowVotes } from './event-stream.js';
import { Heartbeat } from './heartbeat.js';
import { HintDesk } from './hint-desk.js';
import { HostToolRunner } from './host-tool-runner.js';
import { ProcessKeeper } from './process-keeper.js';
import type { Receipt } from './receipt.js';
import { RunningTurn } from './running-turn.js';
import { SessionProcess } from './session-process.js';
import { TurnDesk } from './turn-desk.js';
import { WaitingLines } from './waiting-lines.js';

export interface SessionCoreParts {
  readonly options: CheckedSessionOptions;
  /** Makes the transport of the next process. Throws `cli_not_found`. */
  readonly createTransport: () => Transport;
  /** The span of the session, in an app that traces; the core ends it. Default: none. */
  readonly trace?: QueryTrace | undefined;
}

const ABORTED = 'The session was aborted.';

type Capability = 'heartbeat' | 'commandHints' | 'controlChannel';

/** The inner side of a session: wires process, turns, questions and readers together, and ends all of them. */
export class SessionCore {
  readonly options: CheckedSessionOptions;
  readonly report: ProblemReport;
  readonly hints: HintDesk;
  readonly #keeper: ProcessKeeper;
  readonly #turns = new TurnDesk();
  readonly #tools: HostToolRunner;
  readonly #cancels = new WaitingLines<Partial<TurnPlace>, CancelAnswer>();
  readonly #beats = new WaitingLines<string, Omit<HeartbeatAnswer, 'tookMs'>>();
  readonly #votes = new FlowVotes((paused) => this.#keeper.current?.setPaused(paused));
  readonly #streams = new Set<EventStream>();
  readonly #answerTimeoutMs: number;
  readonly #trace: QueryTrace | undefined;
  #reader = new EventReader();
  #heartbeat: Heartbeat | undefined;
  #lastActivityAt: number | undefined;
  readonly #abort = (): void => void this.close(new AbortError(ABORTED));

  constructor({ options, createTransport, trace }: SessionCoreParts) {
    this.#trace = trace;
    this.options = options;
    this.report = createProblemReport(options.launch);
    this.#answerTimeoutMs = toTimeouts(options.launch.timeout ?? {}).controlRequest ?? DEFAULT_TIMEOUTS.controlRequest;
    const send = (line: object): void => this.#sendDetached(line);
    this.hints = new HintDesk({ send, timeoutMs: this.#answerTimeoutMs });
    this.#tools = new HostToolRunner({ tools: options.tools, send, onProblem: this.report.problem });
    this.#keeper = new ProcessKeeper({
      create: (onLost) =>
        new SessionProcess({
          options,
          transport: createTransport(),
          report: this.report,
          tracer: trace?.control,
          onLine: (output, bytes) => this.#accept(output, bytes),
          onLost,
        }),
      restart: options.heartbeat !== false && options.heartbeat.restart,
      onReady: () => this.#begin(),
      onCut: (reason) => this.#cut(reason),
      onRestarted: (reason) => this.#tell({ kind: 'restarted', reason }, 0),
      onEnded: (reason) => this.#end(reason),
    });
  }

  get receipt(): Receipt {
    return this.#keeper.receipt;
  }

  get pid(): number | undefined {
    return this.#keeper.pid;
  }

  get exit(): TransportExit {
    return this.#keeper.exit;
  }

  /** Why it is over; undefined while it is not. */
  get ended(): AgentError | undefined {
    return this.#keeper.ended;
  }

  get lastActivityAt(): number | undefined {
    return this.#lastActivityAt;
  }

  /** Resolves when the first process is ready. Rejects with the reason when it will not be; then none is left. */
  async open(): Promise<void> {
    const { signal } = this.options.launch.abortController ?? {};
    if (signal?.aborted === true) {
      const reason = new AbortError(ABORTED);
      this.#end(reason);
      throw reason;
    }
    signal?.addEventListener('abort', this.#abort, { once: true });
    try {
      await this.#keeper.ready();
    } catch (thrown) {
      const reason = AgentError.from(thrown);
      await this.#keeper.close(reason);
      throw this.#keeper.ended ?? reason;
    }
  }

  /** Sends a line. Resolves when more can be sent; rejects with the reason of the end. */
  async send(line: object): Promise<void> {
    const process = await this.#keeper.ready();
    await process.send(line);
  }

  /** Sends a request that makes a turn. What keeps it from being sent fails the turn. */
  startTurn(place: TurnPlace, request: object): RunningTurn {
    const turn = new RunningTurn({ ...place, events: new EventStream(this.#votes) });
    turn.result.catch(() => undefined);
    this.#keeper.ready().then(
      (process) => {
        this.#turns.add(turn);
        process.send(request).catch((error: unknown) => turn.fail(AgentError.from(error)));
        turn.lineNumber = process.sentLines;
      },
      (error: unknown) => turn.fail(AgentError.from(error)),
    );
    return turn;
  }

  /** Stops a turn: the one of the prompt, else the newest of the session (I-04). */
  async cancel({ sessionId = this.options.sessionId, promptId }: Partial<TurnPlace> = {}): Promise<CancelAnswer> {
    const process = await this.#keeper.ready();
    const answer = this.#cancels.wait({ sessionId }, { timeoutMs: this.#answerTimeoutMs, what: 'A cancel' });
    const named = promptId === undefined ? {} : { prompt_id: promptId };
    void process.send({ type: 'control/cancel', session_id: sessionId, ...named, reason: 'escape' });
    return answer;
  }

  /** Asks for a sign of life; as many at once as somebody likes. */
  async heartbeat(timeoutMs: number): Promise<HeartbeatAnswer> {
    const process = await this.#keeper.ready();
    this.require('heartbeat');
    const id = `heartbeat-${crypto.randomUUID()}`;
    const askedAt = performance.now();
    const answer = this.#beats.wait(id, { timeoutMs, what: 'A heartbeat' });
    void process.send({ type: 'heartbeat_request', session_id: this.options.sessionId, prompt_id: id });
    return { ...(await answer), tookMs: performance.now() - askedAt };
  }

  /** Asks a control request about a session. */
  async ask<T extends SubtypeAskedBy<'app'>>(
    subtype: T,
    payload: ControlPayload<T>,
    options: {
      readonly sessionId: string;
      readonly signal?: AbortSignal | undefined;
      readonly timeoutMs?: number | undefined;
    },
  ): Promise<ControlResult<T>> {
    const { sessionId, ...rest } = options;
    const process = await this.#keeper.ready();
    this.require('controlChannel');
    return process.ask(subtype, payload, { ...rest, place: { sessionId } });
  }

  /** Throws `unsupported_by_cli` where the receipt does not name the ability. */
  require(capability: Capability): void {
    if (this.receipt.capabilities?.[capability] === true) return;
    throw new AgentError('unsupported_by_cli', `This CLI does not say that it can do this: ${capability}.`);
  }

  /** A stream of everything from now on. */
  events(): EventStream {
    const stream = new EventStream(this.#votes);
    if (this.ended === undefined) this.#streams.add(stream);
    else stream.end();
    return stream;
  }

  /** A reader of everything has left. */
  forget(stream: EventStream): void {
    this.#streams.delete(stream);
  }

  /** Ends everything. Resolves when the process is gone; idempotent, never rejects. */
  async close(reason: AgentError, options?: CloseOptions): Promise<void> {
    // A CLI in mid-turn would finish its turn first.
    for (const { sessionId, promptId } of this.#turns.running) {
      const place = { session_id: sessionId, prompt_id: promptId };
      void this.#keeper.current?.send({ type: 'control/cancel', ...place, reason: 'escape' });
    }
    await this.#keeper.close(reason, options);
  }

  #sendDetached(line: object): void {
    this.send(line).catch(() => undefined);
  }

  #accept(output: OutputLine, bytes: number): void {
    this.#lastActivityAt = Date.now();
    this.#heartbeat?.heard();
    if (output.kind === 'invalid') this.report.problem(output.error);
    const events = this.#reader.read(output);
    events.forEach((event, index) => this.#take(event, index === 0 ? bytes : 0));
    if (output.kind === 'invalid' && this.options.strictProtocol) void this.#keeper.close(output.error);
  }

  #take(event: QwenEvent, bytes: number): void {
    switch (event.kind) {
      case 'hint':
        this.hints.take(event.hint);
        break;
      case 'heartbeat': {
        this.#keeper.lived();
        const { status, at, promptId } = event;
        this.#beats.settle({ status, at }, (id) => (promptId ?? id) === id);
        break;
      }
      case 'cancel': {
        const { status, message, sessionId } = event;
        this.#cancels.settle({ status, message }, (asked) => (sessionId ?? asked.sessionId) === asked.sessionId);
        break;
      }
      case 'summary':
        this.#keeper.lived();
        break;
      default:
    }
    this.#turns.take(event, bytes);
    this.#tools.take(event);
    this.#tell(event, bytes);
    if (event.kind === 'command' && event.result.type === 'quit') this.#leave();
  }

  #tell(event: QwenEvent, bytes: number): void {
    for (const stream of this.#streams) stream.push(event, bytes);
  }

  /** The CLI goes because somebody asked it to. */
  #leave(): void {
    void this.#keeper.close(new AgentError('channel_closed', 'The session has ended by a command.'));
  }

  #begin(): void {
    this.#reader = new EventReader();
    this.#keeper.current?.setPaused(this.#votes.paused);
    const { heartbeat, sessionId } = this.options;
    if (heartbeat === false || this.receipt.capabilities?.heartbeat !== true) return;
    this.#heartbeat = new Heartbeat({
      intervalMs: heartbeat.intervalMs,
      timeoutMs: heartbeat.timeoutMs,
      ask: () => this.#sendDetached({ type: 'heartbeat_request', session_id: sessionId, prompt_id: 'heartbeat' }),
      onSilent: (error) => this.#keeper.lose(error),
    });
    this.#heartbeat.start();
  }

  #cut(reason: AgentError): void {
    this.#heartbeat?.stop();
    this.#turns.failAll(reason);
    this.#tools.abortAll(reason);
    this.hints.rejectAll(reason);
    this.#cancels.rejectAll(reason);
    this.#beats.rejectAll(reason);
  }

  #end(reason: AgentError): void {
    this.options.launch.abortController?.signal.removeEventListener('abort', this.#abort);
    this.#trace?.end(toTraceEnding(endingOf(reason)));
    for (const stream of this.#streams) {
      if (reason.code === 'channel_closed') stream.end();
      else stream.fail(reason);
    }
    this.#streams.clear();
  }
}
