import type { Readable, Writable } from 'node:stream';
import type { AgentEvent } from '@qwen/agent';
import type { PromptContent } from '@qwen/commands';
import { AgentError, encodeLine, type Frame, type SDKUserMessage } from '@qwen/protocol';
import { AgentHost } from '../agent-host.js';
import type { AgentHostOptions } from '../agent-host-options.js';
import { toAccount } from '../config/account.js';
import type { Configuration } from '../config/load-config.js';
import type { SessionChoice } from '../config/session-choice.js';
import { offeredAnyway } from '../config/tool-selection.js';
import type { Notice } from '../control/control-context.js';
import { ControlService } from '../control/control-service.js';
import { createAgentMessages } from '../dialects/agent-messages.js';
import { toClaudeLine } from '../dialects/claude-control-lines.js';
import { hookEventMessage } from '../dialects/system-messages.js';
import { toExitCode } from '../exit-code.js';
import type { HookReport } from '../hooks/hook-report.js';
import { readFrames } from '../io/frame-reader.js';
import { LineWriter } from '../io/line-writer.js';
import { discoverServers } from '../mcp/discover-servers.js';
import { lazyConnector, serverSurroundings } from '../mcp/lazy-connector.js';
import { createModelDirectory } from '../model-directory.js';
import type { Departure } from '../process/departure.js';
import { sessionFacts } from '../session-facts.js';
import { sessionOptions, startOf } from '../session-start.js';
import { dialectRefusal, lineRefusal } from './line-refusals.js';
import { PromptIntake } from './prompt-intake.js';
import { WarmUp } from './warm-up.js';

export interface StreamJsonOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly configuration: Configuration;
  readonly session: SessionChoice;
  /** Ends the mode early: what runs is stopped, what there is to say of it is written. */
  readonly departure: Departure;
  /**
   * The channel was not named: the first line must show that an SDK speaks, by `initialize` or a user message (CF-02).
   * Default false.
   */
  readonly needsGreeting?: boolean;
  /** Hears of late and unknown answers and of lines that are no use, for `--debug`. */
  readonly onProblem?: (error: AgentError) => void;
}

/** After a departure has begun, in milliseconds: the last turn ends within this time. */
const TURN_LIMIT_MS = 1_000;
/** Connections and the session file are closed within this time. */
const CLOSE_LIMIT_MS = 1_400;
/** What was written is read within this time, or never. */
const FLUSH_LIMIT_MS = 1_700;

/**
 * The machine mode of the sdk dialect (HOUSE §3.3): frames in, lines out. Control frames go to the dispatcher at once,
 * user messages to the agent's inbox; reading waits for nothing. Ends when the input has ended and everything is
 * answered, or with the departure.
 */
export class StreamJsonMode {
  /** Settles with the exit code once everything written has left the process. Never rejects. */
  readonly done: Promise<number>;
  readonly #options: StreamJsonOptions;
  readonly #writer: LineWriter;
  readonly #host: AgentHost;
  readonly #service: ControlService;
  readonly #intake: PromptIntake;
  readonly #warmUp: WarmUp;
  readonly #toLines: (event: AgentEvent) => readonly object[];
  #isGreeted: boolean;

  constructor(options: StreamJsonOptions) {
    const { configuration, session, output } = options;
    this.#options = options;
    this.#isGreeted = options.needsGreeting !== true;
    const leave = (reason: Error): void => options.departure.begin(toExitCode(reason));
    this.#writer = new LineWriter(output, { onLost: leave });
    this.#host = new AgentHost({
      ...sessionOptions(configuration, session),
      start: startOf(configuration),
      prepare: () => this.#prepare(),
      toolNames: offeredAnyway(configuration.tools),
      moreTools: () => this.#service.mcp.tools,
      publish: (event) => this.#publish(event),
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
    this.#service = new ControlService({
      agent: this.#host,
      output: this.#writer,
      commandNames: () => this.#commandNames(),
      announce: (notice) => this.#announce(notice),
      leave: (reason) => setImmediate(leave, reason),
      send: (line) =>
        this.#writer.writeControl(encodeLine(configuration.speaksToClaudeSdk ? toClaudeLine(line) : line)),
      mcpConnector: lazyConnector(() => serverSurroundings(configuration)),
      mcpServers: configuration.mcpServers,
      discoverMcpServers: () => discoverServers(configuration),
      onToolsChanged: () => this.#host.refreshTools(),
      sendsSuggestions: configuration.sendsSuggestions,
      account: toAccount(configuration.provider),
      models: createModelDirectory(configuration),
      openStore: async () => (await import('../session-store.js')).openStore(configuration),
      fileAgents: configuration.agentFiles.agents,
      ...(configuration.allowedMcpServers !== undefined && { allowedMcpServers: configuration.allowedMcpServers }),
      ...(options.onProblem !== undefined && { onProblem: options.onProblem }),
    });
    this.#intake = new PromptIntake({
      submit: (prompt) => this.#host.submit(prompt),
      expand: (text) => this.#expand(text),
      endInput: () => this.#host.endInput(),
    });
    this.#warmUp = new WarmUp({ configuration, isIdle: () => this.#host.isIdle });
    options.departure.onBegin(() => this.#leave());
    this.done = this.#run();
  }

  /** Takes one line. Synchronous; waits for nothing. */
  accept(frame: Frame, lineNumber: number): void {
    if (!this.#isGreeted && !isGreeting(frame)) {
      this.#refuseDialect();
      return;
    }
    this.#isGreeted = true;
    this.#warmUp.begin();
    switch (frame.kind) {
      case 'control':
        this.#service.accept(frame.frame);
        break;
      case 'message':
        if (frame.message.type === 'user') this.#submit(frame.message, lineNumber);
        else this.#refuse(unexpected(frame.message.type), lineNumber);
        break;
      case 'unknown':
        this.#options.onProblem?.(unexpected(frame.type));
        break;
      case 'invalid':
        this.#refuse(frame.error, lineNumber);
        break;
    }
  }

  /** The input has ended: what is queued is still answered, questions that wait are denied (F25, GAP-10). */
  endInput(): void {
    this.#service.endInput();
    this.#intake.endInput();
    // Nobody can ask for it any more.
    this.#writer.resume();
  }

  #leave(): void {
    this.#host.interrupt({ by: 'shutdown', reason: 'qwen is ending.' });
    this.endInput();
  }

  async #run(): Promise<number> {
    const { departure } = this.#options;
    await departure.bound(this.#host.done, TURN_LIMIT_MS);
    const reason = departure.exitCode === undefined ? 'prompt_input_exit' : 'other';
    await departure.bound(Promise.all([this.#service.close(), this.#host.close(reason)]), CLOSE_LIMIT_MS);
    await departure.bound(this.#writer.flush(), FLUSH_LIMIT_MS);
    return departure.exitCode ?? 0;
  }

  async #publish(event: AgentEvent): Promise<void> {
    for (const line of this.#toLines(event)) await this.#writer.write(encodeLine(line));
  }

  #announce(notice: Notice): void {
    void this.#publish({ type: 'notice', ...notice, parentToolUseId: null });
  }

  #showHook(report: HookReport): void {
    const ids = { uuid: crypto.randomUUID(), session_id: this.#host.sessionId };
    void this.#writer.write(encodeLine(hookEventMessage({ ...ids, report })));
  }

  #submit(message: SDKUserMessage, lineNumber: number): void {
    const prompt = { uuid: message.uuid ?? crypto.randomUUID(), content: message.message.content };
    try {
      this.#intake.take(prompt, (error) => this.#refuse(error, lineNumber));
    } catch (thrown) {
      this.#refuse(AgentError.from(thrown), lineNumber);
    }
  }

  async #expand(text: string): Promise<PromptContent | undefined> {
    const { mcp } = this.#service;
    await mcp.whenReady();
    const { expandCommand } = await import('../mcp/expand-command.js');
    return expandCommand(text, mcp.servers);
  }

  /** Slash commands, of the prompts that MCP servers have now. */
  #commandNames(): string[] {
    return this.#service.mcp.servers
      .flatMap(({ connection }) => connection?.prompts ?? [])
      .map((one) => one.commandName);
  }

  #refuse(error: AgentError, lineNumber: number): void {
    this.#writer.writeControl(lineRefusal({ error, lineNumber, sessionId: this.#host.sessionId }));
  }

  #refuseDialect(): void {
    const { departure } = this.#options;
    if (departure.exitCode !== undefined) return;
    const message = 'Only the messages of the SDK are spoken: start with --channel SDK, or send initialize first.';
    this.#writer.writeControl(dialectRefusal(message));
    departure.begin(toExitCode(new AgentError('usage', message)));
  }

  async #prepare(): ReturnType<AgentHostOptions['prepare']> {
    const { configuration, session } = this.#options;
    // First the engine: an `initialize` behind the prompt may still name servers that the first turn waits for.
    const { prepareSession } = await import('../compose.js');
    const { mcp, hook, agent, permission: permissions } = this.#service;
    const composition = {
      configuration,
      session,
      permissions,
      registeredHooks: () => hook.hooks,
      agents: () => agent.agents,
      answersQuestions: () => permissions.answersQuestions,
      announce: (notice: Notice) => this.#announce(notice),
      ...(configuration.includeHookEvents && { reportHook: (report: HookReport) => this.#showHook(report) }),
    };
    const [create] = await Promise.all([prepareSession(composition), mcp.whenReady()]);
    return create;
  }
}

/** Runs the machine mode over any pair of streams; who calls it owns them. */
export function runStreamJson(options: StreamJsonOptions): StreamJsonMode {
  const mode = new StreamJsonMode(options);
  const { maxLineBytes } = options.configuration;
  const listener = {
    onFrame: (frame: Frame, lineNumber: number) => mode.accept(frame, lineNumber),
    onEnd: () => mode.endInput(),
  };
  readFrames(options.input, listener, maxLineBytes === undefined ? {} : { maxLineBytes });
  return mode;
}

function isGreeting(frame: Frame): boolean {
  if (frame.kind === 'message') return frame.message.type === 'user';
  return frame.kind === 'control' && frame.frame.kind === 'request' && frame.frame.subtype === 'initialize';
}

function unexpected(type: string): AgentError {
  return new AgentError('invalid_message', `A line of type "${type}" is not for us to read.`);
}
