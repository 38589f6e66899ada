import type { PermissionPort, TurnOutcome } from '@qwen/agent';
import { hasCommandFiles, knownCommandNames } from '@qwen/host/commands/known-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import { toExitCode } from '@qwen/host/exit-code.js';
import type { Printed } from '@qwen/host/process/print-interceptor.js';
import type { Shutdown } from '@qwen/host/process/shutdown.js';
import { LiveSession } from '@qwen/host/sessions/live-session.js';
import { SessionPool } from '@qwen/host/sessions/session-pool.js';
import { AgentError, QWEN_VERSION } from '@qwen/protocol';
import { toOpenAiControlLine, unknownMembers } from '@qwen/protocol/openai';
import type { QueuedChat } from '../chat/chat-turns.js';
import { CommandRunner } from '../chat/command-runner.js';
import type { ControlService } from '../control/control-service.js';
import {
  consoleLine,
  exitLines,
  invalidInputLine,
  receiptLine,
  recoverableErrorLine,
  unsupportedProtocolLine,
} from '../dialects/openai/process-lines.js';
import type { InputFrame } from '../io/frame-reader.js';
import type { LineWriter } from '../io/line-writer.js';
import { createControl } from './create-control.js';
import type { EventWriter } from './event-writers/event-writer.js';
import { LineRouter } from './line-router.js';
import { exitCodeOf, type MachineMode, runCourse } from './machine-mode.js';

export interface OpenAiModeOptions {
  readonly writer: LineWriter;
  readonly eventWriter: EventWriter;
  readonly configuration: Configuration;
  readonly session: SessionChoice;
  /** Ends the mode early; the final lines are still written. */
  readonly shutdown: Shutdown;
  readonly formats: { readonly input: string; readonly output: string };
  readonly permissions?: PermissionPort;
  /** The exit code reflects the last turn. */
  readonly isOneShot: boolean;
  /** Rejects unknown members (`--strict-protocol`). */
  readonly isStrict: boolean;
  /** 0: only on request. */
  readonly heartbeatIntervalMs: number;
  readonly onProblem?: (error: AgentError) => void;
}

/**
 * The openai dialect: many sessions per process. Input is never blocked. Ends when the input has ended and all
 * requests are answered, or on shutdown.
 */
export class OpenAiMode implements MachineMode {
  readonly done: Promise<number>;
  readonly #options: OpenAiModeOptions;
  readonly #pool: SessionPool;
  readonly #service: ControlService;
  readonly #router: LineRouter;
  /** The host has used the control channel. */
  #hasControl = false;
  #isLeaving = false;
  #isYielded = false;
  readonly #heart: NodeJS.Timeout | undefined;
  #lastOutcome: TurnOutcome | undefined;

  constructor(options: OpenAiModeOptions) {
    const { configuration, session, writer, eventWriter, shutdown, heartbeatIntervalMs } = options;
    this.#options = options;
    this.#pool = new SessionPool({
      configuration,
      first: session,
      create: (choice) => this.#createSession(choice),
      onRest: (one, extent) => {
        if (extent === 'forgotten') eventWriter.forget(one);
      },
    });
    this.#service = createControl({
      configuration,
      agents: this.#pool,
      writer,
      commandNames: () => knownCommandNames(this.#service.mcp.servers, configuration),
      findCommandNames: () =>
        hasCommandFiles(configuration) ? this.#pool.latest.commands().then(({ names }) => names) : undefined,
      announce: (notice) => this.#pool.latest.announce(notice),
      leave: (reason) => this.#refuseProtocol(AgentError.from(reason)),
      onToolsChanged: () => {
        for (const one of this.#pool.all) if (!one.isAsleep) one.host.refreshTools();
      },
      toLine: (frame) => toOpenAiControlLine(frame, { sessionId: this.#pool.latest.sessionId, ...frame }),
      isSilent: !eventWriter.asksHost,
      reportFailure: (failure) => {
        eventWriter.noteControlError(this.#pool.running(failure.sessionId) ?? this.#pool.latest, failure);
      },
      ...(options.onProblem !== undefined && { onProblem: options.onProblem }),
    });
    this.#router = new LineRouter({
      sessions: this.#pool,
      configuration,
      service: this.#service,
      commands: new CommandRunner({
        eventWriter,
        confirmations: () => (this.#asksHost ? this.#service.confirmation : undefined),
        quit: () => shutdown.begin(0),
      }),
      output: eventWriter,
      refuse: (error, lineNumber, sender) => this.#refuse(error, { lineNumber, session: sender }),
      leave: (error) => this.#refuseProtocol(error),
    });
    shutdown.onBegin(() => this.#leave());
    this.#heart = this.#startHeart(heartbeatIntervalMs);
    const ended = new Promise<void>((resolve) => {
      this.#onInputEnd = resolve;
    });
    this.done = runCourse({
      shutdown,
      writer,
      work: ended.then(() => this.#pool.endInput()),
      close: async (reason) => {
        clearInterval(this.#heart);
        await this.#service.close(Promise.all([this.#pool.close(reason), this.#router.typed.close()]));
      },
      conclude: (exitCode) => {
        if (this.#isYielded) return;
        for (const line of exitLines(eventWriter.originOf(this.#pool.latest), exitCode)) eventWriter.writeLine(line);
      },
      exitCode: () => (options.isOneShot ? exitCodeOf(this.#lastOutcome) : 0),
    });
  }

  #onInputEnd: () => void = () => undefined;

  writeReceipt(): void {
    const { eventWriter, configuration, formats } = this.#options;
    const { capabilities = {} } = this.#service.system.getControlCapabilities();
    const { tools = [], mcpServers = true, hooks = true, permissionControl = true } = capabilities;
    const line = receiptLine(eventWriter.originOf(this.#pool.latest), {
      inputFormat: formats.input,
      outputFormat: formats.output,
      capabilities: { ...capabilities, tools, mcpServers, hooks, permissionControl, ...OPENAI_CAPABILITIES },
      version: QWEN_VERSION,
      cwd: configuration.cwd,
      permissionMode: configuration.permissionMode,
    });
    eventWriter.writeLine(line);
  }

  print(printed: Printed): void {
    const { eventWriter } = this.#options;
    eventWriter.writeLine(consoleLine(eventWriter.originOf(this.#pool.latest), printed));
  }

  /** The host is an SDK: release the output and the unused session to another mode. */
  yield(): void {
    this.#isYielded = true;
    clearInterval(this.#heart);
  }

  accept(input: InputFrame): void {
    // Ignore later input; pending output is still written.
    if (this.#isLeaving) return;
    const { frame, text, lineNumber } = input;
    const [unknown] = this.#options.isStrict ? unknownMembers(text) : [];
    if (unknown !== undefined) {
      this.#refuse(new AgentError('invalid_message', `${unknown}: unknown member`), { lineNumber });
      return;
    }
    if (frame.kind === 'control') this.#hasControl = true;
    this.#queue(this.#router.read(input), lineNumber);
  }

  endInput(): void {
    this.#service.endInput();
    this.#options.writer.resume();
    this.#onInputEnd();
  }

  cancel(): boolean {
    return this.#pool.latest.cancel();
  }

  fail(error: AgentError): void {
    this.#options.eventWriter.fail(error, this.#pool.latest);
  }

  #queue(chat: QueuedChat | undefined, lineNumber: number): void {
    try {
      chat?.session.inputs.add(chat.step);
    } catch (thrown) {
      this.#refuse(AgentError.from(thrown), { lineNumber, session: chat?.session });
    }
  }

  /** Whether someone can answer a question. */
  get #asksHost(): boolean {
    return this.#hasControl && this.#options.eventWriter.asksHost;
  }

  #refuseProtocol(error: AgentError): void {
    const { eventWriter, shutdown } = this.#options;
    if (error.code === 'unsupported_protocol') {
      eventWriter.writeLine(unsupportedProtocolLine(eventWriter.originOf(this.#pool.latest), error.data['requested']));
    }
    shutdown.begin(toExitCode(error));
  }

  #refuse(error: AgentError, { lineNumber, session = this.#pool.latest }: Refusal): void {
    const { eventWriter } = this.#options;
    // A request cancelled before its turn has no turn to report it.
    if (error.code === 'cancelled') this.#router.typed.emitCancelled(session);
    const isInput = INPUT_CODES.has(error.code);
    const { promptId: _turn, ...origin } = eventWriter.originOf(session);
    eventWriter.writeLine(
      isInput ? invalidInputLine(origin, error, lineNumber) : recoverableErrorLine(origin, error, lineNumber),
    );
  }

  #createSession(choice: SessionChoice): LiveSession {
    const { configuration, eventWriter, permissions } = this.#options;
    return new LiveSession({
      choice,
      configuration,
      service: () => this.#service,
      showsDialogs: eventWriter.asksHost,
      confirmsQuit: () => this.#asksHost,
      writeEvent: (event, session) => {
        if (event.type === 'turn_end') this.#lastOutcome = event.outcome;
        return eventWriter.writeEvent(event, session);
      },
      ...(permissions !== undefined && { permissions }),
    });
  }

  #startHeart(intervalMs: number): NodeJS.Timeout | undefined {
    if (intervalMs <= 0) return undefined;
    return setInterval(() => this.#router.typed.beat(this.#pool.latest), intervalMs).unref();
  }

  #leave(): void {
    this.#isLeaving = true;
    for (const session of this.#pool.all) {
      if (!session.isAsleep) session.host.interrupt({ by: 'shutdown', reason: 'qwen is shutting down.' });
    }
    this.endInput();
  }
}

interface Refusal {
  readonly lineNumber: number;
  readonly session?: LiveSession | undefined;
}

const INPUT_CODES: ReadonlySet<string> = new Set(['invalid_json', 'invalid_message', 'line_too_long']);

/** Capabilities beyond those of the control channel. */
const OPENAI_CAPABILITIES = {
  chatCompletionChunk: true,
  controlChannel: true,
  heartbeat: true,
  commandHints: true,
} as const;
