import type { Readable, Writable } from 'node:stream';
import type { AgentEvent, PermissionPort, TurnOutcome } from '@qwen/agent';
import { hasCommandFiles, knownCommandNames, needsCommands } from '@qwen/host/commands/known-commands.js';
import type { SessionCommands } from '@qwen/host/commands/session-commands.js';
import type { TurnCommands } from '@qwen/host/commands/turn-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import { endOfEmptyTurn } from '@qwen/host/empty-turn.js';
import { toExitCode } from '@qwen/host/exit-code.js';
import type { HookReport } from '@qwen/host/hooks/hook-report.js';
import type { Shutdown } from '@qwen/host/process/shutdown.js';
import { sessionFacts } from '@qwen/host/session-facts.js';
import { LiveSession } from '@qwen/host/sessions/live-session.js';
import type { InputStep } from '@qwen/host/sessions/session-inputs.js';
import { AgentError, encodeLine, type SDKMessage, type SDKUserMessage } from '@qwen/protocol';
import type { ControlService } from '../control/control-service.js';
import { createAgentMessages } from '../dialects/agent-messages.js';
import { fromClaudeContent, toClaudeMessage } from '../dialects/claude-control-lines.js';
import { hookEventMessage } from '../dialects/system-messages.js';
import { type InputFrame, readFrames } from '../io/frame-reader.js';
import { LineWriter } from '../io/line-writer.js';
import { createControl } from './create-control.js';
import { lineRefusal, unexpectedType } from './line-refusals.js';
import type { LineRouter } from './line-router.js';
import { exitCodeOf, type MachineMode, runCourse } from './machine-mode.js';
import { WarmUp } from './warm-up.js';

export interface StreamJsonModeOptions {
  readonly writer: LineWriter;
  readonly configuration: Configuration;
  readonly session: SessionChoice;
  readonly shutdown: Shutdown;
  readonly permissions?: PermissionPort;
  /** Default false. */
  readonly isOneShot?: boolean;
  readonly onProblem?: (error: AgentError) => void;
}

/**
 * The sdk dialect. Control frames are dispatched at once, user messages are queued. Ends when the input has ended
 * and all is answered, or on shutdown.
 */
export class StreamJsonMode implements MachineMode {
  readonly done: Promise<number>;
  readonly #options: StreamJsonModeOptions;
  readonly #session: LiveSession;
  readonly #service: ControlService;
  readonly #warmUp: WarmUp;
  #found: SessionCommands | undefined;
  #turns: Promise<TurnCommands> | undefined;
  #loadingRouter: Promise<LineRouter> | undefined;
  #router: LineRouter | undefined;
  readonly #toLines: (event: AgentEvent) => readonly object[];
  #lastOutcome: TurnOutcome | undefined;
  /** Until the first turn. */
  #earlyNotices: AgentEvent[] | undefined = [];

  constructor(options: StreamJsonModeOptions) {
    const { configuration, session, writer, shutdown, permissions } = options;
    this.#options = options;
    this.#session = new LiveSession({
      choice: session,
      configuration,
      service: () => this.#service,
      writeEvent: (event) => this.#writeEvent(event),
      isOnly: true,
      ...(permissions !== undefined && { permissions }),
      // `system/init` lists all commands.
      ...(hasCommandFiles(configuration) && { opensAfter: () => this.#findCommands() }),
      ...(configuration.includeHookEvents && { reportHook: (report: HookReport) => this.#showHook(report) }),
    });
    const { host } = this.#session;
    const toLines = createAgentMessages({
      sessionId: session.sessionId,
      includePartialMessages: configuration.includePartialMessages,
      newId: () => crypto.randomUUID(),
      facts: () =>
        sessionFacts({
          configuration,
          host,
          mcpServers: this.#service.mcp.listServers(),
          agents: this.#service.agent.agents,
          slashCommands: this.#commandNames(),
        }),
    });
    this.#toLines = configuration.usesClaudeFormat
      ? (event) => toLines(event).map((line) => toClaudeMessage(line, this.#service.isSilent()))
      : toLines;
    this.#service = createControl({
      configuration,
      agents: { current: host, find: (id) => (id === session.sessionId ? host : undefined) },
      writer,
      commandNames: () => this.#commandNames(),
      findCommandNames: () =>
        hasCommandFiles(configuration) ? this.#findCommands().then(({ names }) => names) : undefined,
      announce: (notice) => this.#session.announce(notice),
      leave: (reason) => shutdown.begin(toExitCode(reason)),
      onToolsChanged: () => host.refreshTools(),
      ...(options.onProblem !== undefined && { onProblem: options.onProblem }),
    });
    this.#warmUp = new WarmUp({ configuration, isIdle: () => host.isIdle });
    shutdown.onBegin(() => this.#leave());
    this.done = runCourse({
      shutdown,
      writer,
      work: host.done,
      close: (reason) =>
        this.#service.close(
          Promise.all([this.#session.close(reason), this.#router?.typed.close()]).then(() => this.#writeEarlyNotices()),
        ),
      exitCode: () => (options.isOneShot === true || this.#isUnopened ? exitCodeOf(this.#lastOutcome) : 0),
    });
  }

  accept(input: InputFrame): void {
    this.#warmUp.begin();
    const { frame, lineNumber } = input;
    switch (frame.kind) {
      case 'control':
        this.#service.accept(frame.frame);
        break;
      case 'message':
        if (frame.message.type === 'user') this.#submit(frame.message, lineNumber);
        else this.#refuse(unexpectedType(frame.message.type), lineNumber);
        break;
      case 'unknown':
        this.#route(input);
        break;
      case 'invalid':
        // A line without a type may be a chat request.
        if (frame.error.code === 'invalid_message') this.#route(input);
        else this.#refuse(frame.error, lineNumber);
        break;
    }
  }

  endInput(): void {
    this.#service.endInput();
    this.#session.endInput();
    this.#options.writer.resume();
  }

  cancel(): boolean {
    return this.#session.host.interrupt();
  }

  fail(error: AgentError): void {
    const { sessionId, unanswered } = this.#session.host;
    const outcome = { type: 'error', error } as const;
    const ends = unanswered.flatMap((turnId) => this.#toLines(endOfEmptyTurn(turnId, outcome)));
    const { code, message } = error;
    const news: SDKMessage = {
      type: 'system',
      subtype: 'error',
      uuid: crypto.randomUUID(),
      session_id: sessionId,
      data: { code, message },
    };
    const early = (this.#earlyNotices ?? []).flatMap((notice) => this.#toLines(notice));
    const lines = [...early, ...(ends.length > 0 ? ends : [news])];
    this.#options.writer.conclude(lines.map(encodeLine).join(''));
  }

  #leave(): void {
    this.#session.host.interrupt({ by: 'shutdown', reason: 'qwen is shutting down.' });
    this.endInput();
  }

  async #writeEvent(event: AgentEvent): Promise<void> {
    // Apps take the first message for `system/init`.
    if (event.type === 'notice' && this.#earlyNotices !== undefined) {
      this.#earlyNotices.push(event);
      // An app may need the address of a sign-in before its first prompt.
      if (event.code === 'mcp_auth_required' && this.#service.system.reportsChanges) await this.#writeEarlyNotices();
      return;
    }
    if (CHANGES.has(event.type) && !this.#reportsChanges) return;
    await this.#write(event);
    if (event.type === 'turn_start') await this.#writeEarlyNotices();
  }

  get #reportsChanges(): boolean {
    return this.#service.system.reportsChanges || this.#options.configuration.usesClaudeFormat;
  }

  async #writeEarlyNotices(): Promise<void> {
    const notices = this.#earlyNotices ?? [];
    this.#earlyNotices = undefined;
    for (const notice of notices) await this.#write(notice);
  }

  async #write(event: AgentEvent): Promise<void> {
    if (event.type === 'turn_end') this.#lastOutcome = event.outcome;
    for (const line of this.#toLines(event)) await this.#options.writer.write(encodeLine(line));
  }

  #showHook(report: HookReport): void {
    const ids = { uuid: crypto.randomUUID(), session_id: this.#session.sessionId };
    void this.#options.writer.write(encodeLine(hookEventMessage({ ...ids, report })));
  }

  #submit(message: SDKUserMessage, lineNumber: number): void {
    const { trace_context: trace, priority } = message;
    const { content } = message.message;
    const prompt = {
      uuid: message.uuid ?? crypto.randomUUID(),
      content: this.#options.configuration.usesClaudeFormat ? fromClaudeContent(content) : content,
      ...(priority != null && { priority }),
    };
    if (trace !== undefined) this.#options.configuration.telemetry?.expect(prompt.uuid, trace);
    const isPlain = message.is_literal === true || !needsCommands(prompt.content);
    const take = async (signal: AbortSignal) => (await this.#loadTurns()).take(prompt, signal);
    this.#queue(lineNumber, {
      promptId: () => prompt.uuid,
      take: (signal) => (isPlain ? this.#session.host.submit(prompt) : take(signal)),
      refuse: (error) => {
        if (error.code === 'cancelled') void this.#session.emitCancelled(prompt.uuid);
        else this.#refuse(error, lineNumber);
      },
    });
  }

  /** An openai-dialect or unknown line. While the code for it loads, later prompts wait. */
  #route(input: InputFrame): void {
    const { lineNumber } = input;
    if (this.#router !== undefined) {
      const found = this.#router.read(input);
      if (found !== undefined) this.#queue(lineNumber, found.step);
      return;
    }
    this.#loadingRouter ??= this.#loadRouter();
    const reading = this.#loadingRouter.then((router) => router.read(input)?.step);
    let step: InputStep | undefined;
    this.#queue(lineNumber, {
      promptId: () => step?.promptId(),
      take: async (signal) => {
        step = await reading;
        await step?.take(signal);
      },
      refuse: (error) => (step === undefined ? this.#refuse(error, lineNumber) : step.refuse(error)),
    });
  }

  #queue(lineNumber: number, step: InputStep): void {
    try {
      this.#session.inputs.add(step);
    } catch (thrown) {
      this.#refuse(AgentError.from(thrown), lineNumber);
    }
  }

  async #loadRouter(): Promise<LineRouter> {
    const [{ routeSoleSession }, turns] = await Promise.all([import('./line-router.js'), this.#loadTurns()]);
    const { configuration, writer, shutdown, onProblem } = this.#options;
    this.#router = routeSoleSession(this.#session, {
      configuration,
      writer,
      turns,
      service: this.#service,
      refuse: (error, lineNumber) => this.#refuse(error, lineNumber),
      leave: (error) => shutdown.begin(toExitCode(error)),
      ignore: (error) => onProblem?.(error),
    });
    return this.#router;
  }

  #loadTurns(): Promise<TurnCommands> {
    this.#turns ??= this.#createTurns();
    return this.#turns;
  }

  /** Whether the session of this process could not be created or resumed. */
  get #isUnopened(): boolean {
    return this.#lastOutcome?.type === 'error' && UNOPENED.has(this.#lastOutcome.error.code);
  }

  async #createTurns(): Promise<TurnCommands> {
    const { TurnCommands } = await import('@qwen/host/commands/turn-commands.js');
    const { permissions, shutdown } = this.#options;
    return new TurnCommands({
      host: this.#session.host,
      load: () => this.#session.commands(),
      ...(permissions === undefined && { confirmations: this.#service.confirmation }),
      publish: (event) => this.#session.publish(event),
      quit: () => shutdown.begin(0),
      reportsFiles: true,
    });
  }

  #commandNames(): readonly string[] {
    return this.#found?.names ?? knownCommandNames(this.#service.mcp.servers, this.#options.configuration);
  }

  async #findCommands(): Promise<SessionCommands> {
    this.#found = await this.#session.commands();
    return this.#found;
  }

  #refuse(error: AgentError, lineNumber: number): void {
    const { sessionId } = this.#session;
    this.#options.writer.writeControl(lineRefusal({ error, lineNumber, sessionId }));
  }
}

/** Not for apps that know only `init`. */
const CHANGES: ReadonlySet<AgentEvent['type']> = new Set(['model_changed', 'permission_mode_changed']);

const UNOPENED: ReadonlySet<string> = new Set(['session_exists', 'session_not_found']);

export interface StreamJsonOptions extends Omit<StreamJsonModeOptions, 'writer'> {
  readonly input: Readable;
  readonly output: Writable;
}

/** The caller owns the streams. */
export function runStreamJson({ input, output, ...options }: StreamJsonOptions): MachineMode {
  const writer = new LineWriter(output, { onLost: (error) => options.shutdown.begin(toExitCode(error)) });
  const mode = new StreamJsonMode({ ...options, writer });
  readInput(input, mode, options.configuration);
  return mode;
}

export function readInput(input: Readable, mode: MachineMode, { maxLineBytes }: Configuration): void {
  const listener = { onFrame: (frame: InputFrame) => mode.accept(frame), onEnd: () => mode.endInput() };
  readFrames(input, listener, maxLineBytes === undefined ? {} : { maxLineBytes });
}
