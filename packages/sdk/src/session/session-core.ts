import {
  AgentError,
  type ControlPayload,
  type ControlResult,
  DEFAULT_TIMEOUTS,
  type SubtypeAskedBy,
} from '@qwen/protocol';
import type { OutputLine } from '@qwen/protocol/openai';
import { AbortError } from '../errors.js';
import { endingOf, toTraceEnding } from '../query/ending.js';
import { toTimeouts } from '../query/initialize-payload.js';
import { createProblemReport, type ProblemReport } from '../query/problem-report.js';
import type { QueryTrace } from '../telemetry/query-trace.js';
import { EventReader } from '../terminal/event-reader.js';
import type { QwenEvent } from '../terminal/events.js';
import type { CloseOptions, Transport, TransportExit } from '../transport/transport.js';
import type { CancelAnswer, HeartbeatAnswer } from './answers.js';
import type { TurnIds } from './chat-requests.js';
import type { CheckedSessionOptions } from './check-session-options.js';
import { EventStream, FlowVotes } from './event-stream.js';
import { Heartbeat } from './heartbeat.js';
import { HintRequests } from './hint-requests.js';
import { HostToolRunner } from './host-tool-runner.js';
import { PendingAnswers } from './pending-answers.js';
import { ProcessSupervisor } from './process-supervisor.js';
import type { Receipt } from './receipt.js';
import { RunningTurn } from './running-turn.js';
import { SessionProcess } from './session-process.js';
import { TurnRegistry } from './turn-registry.js';

export interface SessionCoreParts {
  readonly options: CheckedSessionOptions;
  readonly createTransport: () => Transport;
  readonly trace?: QueryTrace | undefined;
}

const ABORTED = 'The session was aborted.';

type Capability = 'heartbeat' | 'commandHints' | 'controlChannel';

/** Connects the parts of a session and closes all of them at its end. */
export class SessionCore {
  readonly options: CheckedSessionOptions;
  readonly report: ProblemReport;
  readonly hints: HintRequests;
  readonly #supervisor: ProcessSupervisor;
  readonly #turns = new TurnRegistry();
  readonly #tools: HostToolRunner;
  readonly #cancels = new PendingAnswers<Partial<TurnIds>, CancelAnswer>();
  readonly #beats = new PendingAnswers<string, Omit<HeartbeatAnswer, 'tookMs'>>();
  readonly #votes = new FlowVotes((paused) => this.#supervisor.current?.setPaused(paused));
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
    this.hints = new HintRequests({ send, timeoutMs: this.#answerTimeoutMs });
    this.#tools = new HostToolRunner({ tools: options.tools, send, onProblem: this.report.problem });
    this.#supervisor = new ProcessSupervisor({
      create: (onFailed) =>
        new SessionProcess({
          options,
          transport: createTransport(),
          report: this.report,
          tracer: trace?.control,
          onLine: (output, bytes) => this.#accept(output, bytes),
          onFailed,
        }),
      restart: options.heartbeat !== false && options.heartbeat.restart,
      onReady: () => this.#onReady(),
      onDisconnected: (reason) => this.#failPending(reason),
      onRestarted: (reason) => this.#emit({ kind: 'restarted', reason }, 0),
      onEnded: (reason) => this.#end(reason),
    });
  }

  get receipt(): Receipt {
    return this.#supervisor.receipt;
  }

  get pid(): number | undefined {
    return this.#supervisor.pid;
  }

  get exit(): TransportExit {
    return this.#supervisor.exit;
  }

  get ended(): AgentError | undefined {
    return this.#supervisor.ended;
  }

  get lastActivityAt(): number | undefined {
    return this.#lastActivityAt;
  }

  /** Resolves when the first process is ready. If it rejects, no process is left. */
  async open(): Promise<void> {
    const { signal } = this.options.launch.abortController ?? {};
    if (signal?.aborted === true) {
      const reason = new AbortError(ABORTED);
      this.#end(reason);
      throw reason;
    }
    signal?.addEventListener('abort', this.#abort, { once: true });
    try {
      await this.#supervisor.ready();
    } catch (thrown) {
      const reason = AgentError.from(thrown);
      await this.#supervisor.close(reason);
      throw this.#supervisor.ended ?? reason;
    }
  }

  async send(line: object): Promise<void> {
    const process = await this.#supervisor.ready();
    await process.send(line);
  }

  startTurn(ids: TurnIds, request: object): RunningTurn {
    const turn = new RunningTurn({ ...ids, events: new EventStream(this.#votes) });
    turn.result.catch(() => undefined);
    const sent = this.#supervisor.ready().then((process) => {
      this.#turns.add(turn);
      const taken = process.send(request);
      turn.lineNumber = process.sentLines;
      return taken;
    });
    sent.catch((error: unknown) => turn.fail(AgentError.from(error)));
    return turn;
  }

  async cancel({ sessionId = this.options.sessionId, promptId }: Partial<TurnIds> = {}): Promise<CancelAnswer> {
    const process = await this.#supervisor.ready();
    const answer = this.#cancels.wait({ sessionId }, { timeoutMs: this.#answerTimeoutMs, what: 'The cancel request' });
    const named = promptId === undefined ? {} : { prompt_id: promptId };
    void process.send({ type: 'control/cancel', session_id: sessionId, ...named, reason: 'escape' });
    return answer;
  }

  async heartbeat(timeoutMs: number): Promise<HeartbeatAnswer> {
    const process = await this.#supervisor.ready();
    this.require('heartbeat');
    const id = `heartbeat-${crypto.randomUUID()}`;
    const sentAt = performance.now();
    const answer = this.#beats.wait(id, { timeoutMs, what: 'The heartbeat request' });
    void process.send({ type: 'heartbeat_request', session_id: this.options.sessionId, prompt_id: id });
    return { ...(await answer), tookMs: performance.now() - sentAt };
  }

  async request<T extends SubtypeAskedBy<'app'>>(
    subtype: T,
    payload: ControlPayload<T>,
    options: {
      readonly sessionId: string;
      readonly signal?: AbortSignal | undefined;
      readonly timeoutMs?: number | undefined;
    },
  ): Promise<ControlResult<T>> {
    const { sessionId, ...rest } = options;
    const process = await this.#supervisor.ready();
    this.require('controlChannel');
    return process.request(subtype, payload, { ...rest, place: { sessionId } });
  }

  /** Throws `unsupported_by_cli` if the receipt does not list the capability. */
  require(capability: Capability): void {
    if (this.receipt.capabilities?.[capability] === true) return;
    throw new AgentError('unsupported_by_cli', `This CLI does not support ${capability}. Update it.`);
  }

  events(): EventStream {
    const stream = new EventStream(this.#votes);
    if (this.ended === undefined) this.#streams.add(stream);
    else stream.end();
    return stream;
  }

  removeStream(stream: EventStream): void {
    this.#streams.delete(stream);
  }

  /** Resolves when the process is gone. Idempotent, never rejects. */
  async close(reason: AgentError, options?: CloseOptions): Promise<void> {
    // Otherwise a CLI would finish its turns first.
    for (const { sessionId, promptId } of this.#turns.running) {
      const ids = { session_id: sessionId, prompt_id: promptId };
      void this.#supervisor.current?.send({ type: 'control/cancel', ...ids, reason: 'escape' });
    }
    await this.#supervisor.close(reason, options);
  }

  #sendDetached(line: object): void {
    this.send(line).catch(() => undefined);
  }

  #accept(output: OutputLine, bytes: number): void {
    this.#lastActivityAt = Date.now();
    this.#heartbeat?.markActive();
    if (output.kind === 'invalid') this.report.problem(output.error);
    const events = this.#reader.read(output);
    events.forEach((event, index) => this.#acceptEvent(event, index === 0 ? bytes : 0));
    if (output.kind === 'invalid' && this.options.strictProtocol) void this.#supervisor.close(output.error);
  }

  #acceptEvent(event: QwenEvent, bytes: number): void {
    switch (event.kind) {
      case 'hint':
        this.hints.accept(event.hint);
        break;
      case 'heartbeat': {
        this.#supervisor.markWorking();
        const { status, at, promptId } = event;
        this.#beats.settle({ status, at }, (id) => (promptId ?? id) === id);
        break;
      }
      case 'cancel': {
        const { status, message, sessionId } = event;
        this.#cancels.settle({ status, message }, (request) => (sessionId ?? request.sessionId) === request.sessionId);
        break;
      }
      case 'summary':
        this.#supervisor.markWorking();
        break;
      default:
    }
    this.#turns.dispatch(event, bytes);
    this.#tools.accept(event);
    this.#emit(event, bytes);
    if (event.kind === 'command' && event.result.type === 'quit')
      void this.#supervisor.close(new AgentError('channel_closed', 'A command has closed the session.'));
  }

  #emit(event: QwenEvent, bytes: number): void {
    for (const stream of this.#streams) stream.push(event, bytes);
  }

  #onReady(): void {
    this.#reader = new EventReader();
    this.#supervisor.current?.setPaused(this.#votes.paused);
    const { heartbeat, sessionId } = this.options;
    if (heartbeat === false || this.receipt.capabilities?.heartbeat !== true) return;
    this.#heartbeat = new Heartbeat({
      intervalMs: heartbeat.intervalMs,
      timeoutMs: heartbeat.timeoutMs,
      send: () => this.#sendDetached({ type: 'heartbeat_request', session_id: sessionId, prompt_id: 'heartbeat' }),
      onTimeout: (error) => this.#supervisor.fail(error),
    });
    this.#heartbeat.start();
  }

  #failPending(reason: AgentError): void {
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
