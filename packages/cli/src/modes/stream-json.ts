import type { Readable, Writable } from 'node:stream';
import type { AgentEvent, PermissionPort, TurnOutcome } from '@qwen/agent';
import type { AgentHost } from '@qwen/host/agent-host.js';
import { hasCommandFiles, knownCommandNames } from '@qwen/host/commands/known-commands.js';
import { PromptIntake } from '@qwen/host/commands/prompt-intake.js';
import type { SessionCommands } from '@qwen/host/commands/session-commands.js';
import type { TurnCommands } from '@qwen/host/commands/turn-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import { endOfEmptyTurn } from '@qwen/host/empty-turn.js';
import { toExitCode } from '@qwen/host/exit-code.js';
import type { HookReport } from '@qwen/host/hooks/hook-report.js';
import type { Notice } from '@qwen/host/notice.js';
import type { Shutdown } from '@qwen/host/process/shutdown.js';
import { sessionFacts } from '@qwen/host/session-facts.js';
import { createHost } from '@qwen/host/sessions/create-host.js';
import { AgentError, encodeLine, type SDKMessage, type SDKUserMessage } from '@qwen/protocol';
import type { ControlService } from '../control/control-service.js';
import { createAgentMessages } from '../dialects/agent-messages.js';
import { hookEventMessage } from '../dialects/system-messages.js';
import { type InputFrame, readFrames } from '../io/frame-reader.js';
import { LineWriter } from '../io/line-writer.js';
import { createControl } from './create-control.js';
import { lineRefusal } from './line-refusals.js';
import { exitCodeOf, type MachineMode, runCourse } from './machine-mode.js';
import type { OpenAiLineHandler } from './openai-line-handler.js';
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
  readonly #host: AgentHost;
  readonly #service: ControlService;
  readonly #intake: PromptIntake;
  readonly #warmUp: WarmUp;
  readonly #load: () => Promise<SessionCommands>;
  #found: SessionCommands | undefined;
  #loadingFurther: Promise<OpenAiLineHandler> | undefined;
  #further: OpenAiLineHandler | undefined;
  readonly #toLines: (event: AgentEvent) => readonly object[];
  #lastOutcome: TurnOutcome | undefined;

  constructor(options: StreamJsonModeOptions) {
    const { configuration, session, writer, shutdown, permissions } = options;
    this.#options = options;
    this.#host = createHost({
      configuration,
      session,
      service: () => this.#service,
      publish: (event) => this.#publish(event),
      announce: (notice) => this.#announce(notice),
      moreTools: () => this.#further?.tools ?? [],
      ...(permissions !== undefined && { permissions }),
      // `system/init` lists all commands.
      ...(hasCommandFiles(configuration) && { opensAfter: () => this.#findCommands() }),
      ...(configuration.includeHookEvents && { reportHook: (report: HookReport) => this.#showHook(report) }),
    });
    this.#toLines = createAgentMessages({
      sessionId: session.sessionId,
      includePartialMessages: configuration.includePartialMessages,
      newId: () => crypto.randomUUID(),
      facts: () =>
        sessionFacts({
          configuration,
          host: this.#host,
          mcpServers: this.#service.mcp.listServers(),
          agents: this.#service.agent.agents,
          slashCommands: this.#commandNames(),
        }),
    });
    this.#service = createControl({
      configuration,
      agents: { current: this.#host, find: (id) => (id === session.sessionId ? this.#host : undefined) },
      writer,
      commandNames: () => this.#commandNames(),
      findCommandNames: () =>
        hasCommandFiles(configuration) ? this.#findCommands().then(({ names }) => names) : undefined,
      announce: (notice) => this.#announce(notice),
      leave: (reason) => shutdown.begin(toExitCode(reason)),
      onToolsChanged: () => this.#host.refreshTools(),
      ...(options.onProblem !== undefined && { onProblem: options.onProblem }),
    });
    let loading: Promise<SessionCommands> | undefined;
    this.#load = () => (loading ??= this.#loadCommands());
    this.#intake = new PromptIntake({
      submit: (prompt) => this.#host.submit(prompt),
      take: async (prompt) => (await this.#loadTurnCommands()).take(prompt),
      endInput: () => this.#host.endInput(),
    });
    this.#warmUp = new WarmUp({ configuration, isIdle: () => this.#host.isIdle });
    shutdown.onBegin(() => this.#leave());
    this.done = runCourse({
      shutdown,
      writer,
      work: this.#host.done,
      close: (reason) => Promise.all([this.#service.close(), this.#host.close(reason), this.#further?.close()]),
      exitCode: () => (options.isOneShot === true ? exitCodeOf(this.#lastOutcome) : 0),
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
        else this.#refuse(unexpected(frame.message.type), lineNumber);
        break;
      case 'unknown':
        this.#takeFurther(input);
        break;
      case 'invalid':
        // A line without a type may be a chat request.
        if (frame.error.code === 'invalid_message') this.#takeFurther(input);
        else this.#refuse(frame.error, lineNumber);
        break;
    }
  }

  endInput(): void {
    this.#service.endInput();
    this.#loadingFurther?.then((further) => further.endInput()).catch(() => undefined);
    this.#intake.endInput();
    this.#options.writer.resume();
  }

  cancel(): boolean {
    return this.#host.interrupt();
  }

  fail(error: AgentError): void {
    const { sessionId, unanswered } = this.#host;
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
    const lines = ends.length > 0 ? ends : [news];
    this.#options.writer.conclude(lines.map(encodeLine).join(''));
  }

  #leave(): void {
    this.#host.interrupt({ by: 'shutdown', reason: 'qwen is shutting down.' });
    this.endInput();
  }

  async #publish(event: AgentEvent): Promise<void> {
    if (event.type === 'turn_end') this.#lastOutcome = event.outcome;
    this.#further?.hearBefore(event);
    for (const line of this.#toLines(event)) await this.#options.writer.write(encodeLine(line));
    this.#further?.hearAfter(event);
  }

  /** An openai-dialect or unknown line. Later prompts wait until it is read. */
  #takeFurther(input: InputFrame): void {
    this.#loadingFurther ??= this.#loadFurther();
    const refuse = (thrown: unknown): undefined => this.#refuse(AgentError.from(thrown), input.lineNumber);
    this.#intake.reserve(this.#loadingFurther.then((further) => further.take(input)).catch(refuse));
  }

  async #loadFurther(): Promise<OpenAiLineHandler> {
    const { OpenAiLineHandler } = await import('./openai-line-handler.js');
    const { configuration, session, writer, shutdown, onProblem } = this.#options;
    this.#further = new OpenAiLineHandler({
      configuration,
      session,
      writer,
      host: this.#host,
      service: this.#service,
      commands: this.#load,
      turns: () => this.#loadTurnCommands(),
      refuse: (error, lineNumber) => this.#refuse(error, lineNumber),
      ignore: (type) => onProblem?.(unexpected(type)),
      leave: (reason) => shutdown.begin(toExitCode(reason)),
    });
    return this.#further;
  }

  #announce(notice: Notice): void {
    void this.#publish({ type: 'notice', ...notice, parentToolUseId: null });
  }

  #showHook(report: HookReport): void {
    const ids = { uuid: crypto.randomUUID(), session_id: this.#host.sessionId };
    void this.#options.writer.write(encodeLine(hookEventMessage({ ...ids, report })));
  }

  #submit(message: SDKUserMessage, lineNumber: number): void {
    const prompt = { uuid: message.uuid ?? crypto.randomUUID(), content: message.message.content };
    const { trace_context: trace } = message;
    if (trace !== undefined) this.#options.configuration.telemetry?.expect(prompt.uuid, trace);
    try {
      const form = message.is_literal === true ? 'literal' : 'typed';
      this.#intake.take(prompt, (error) => this.#refuse(error, lineNumber), form);
    } catch (thrown) {
      this.#refuse(AgentError.from(thrown), lineNumber);
    }
  }

  async #loadTurnCommands(): Promise<TurnCommands> {
    const { TurnCommands } = await import('@qwen/host/commands/turn-commands.js');
    const { permissions, shutdown } = this.#options;
    return new TurnCommands({
      host: this.#host,
      load: this.#load,
      ...(permissions === undefined && { confirmations: this.#service.confirmation }),
      publish: (event) => this.#publish(event),
      quit: () => shutdown.begin(0),
      tellsFiles: true,
    });
  }

  async #loadCommands(): Promise<SessionCommands> {
    const { loadCommands } = await import('@qwen/host/commands/load-commands.js');
    const { configuration } = this.#options;
    const announce = (notice: Notice) => this.#announce(notice);
    return loadCommands({ configuration, host: () => this.#host, service: this.#service, announce });
  }

  #commandNames(): readonly string[] {
    return this.#found?.names ?? knownCommandNames(this.#service.mcp.servers);
  }

  async #findCommands(): Promise<SessionCommands> {
    this.#found = await this.#load();
    return this.#found;
  }

  #refuse(error: AgentError, lineNumber: number): undefined {
    this.#options.writer.writeControl(lineRefusal({ error, lineNumber, sessionId: this.#host.sessionId }));
  }
}

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

function unexpected(type: string): AgentError {
  return new AgentError('invalid_message', `Unexpected line type "${type}".`);
}
