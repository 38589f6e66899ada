import type { AgentEvent } from '@qwen/agent';
import type { AgentHost } from '@qwen/host/agent-host.js';
import type { SessionCommands } from '@qwen/host/commands/session-commands.js';
import type { TurnCommands } from '@qwen/host/commands/turn-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import { cancelTurn } from '@qwen/host/sessions/cancel-turn.js';
import { HostTools } from '@qwen/host/sessions/host-tools.js';
import { PromptIds } from '@qwen/host/sessions/prompt-ids.js';
import { AgentError, encodeLine, SUPPORTED_PROTOCOL_VERSIONS, TOOL_TABLE } from '@qwen/protocol';
import { type InputLine, readFurther } from '@qwen/protocol/openai';
import { type ChatStep, ChatTurns } from '../chat/chat-turns.js';
import type { ControlService } from '../control/control-service.js';
import { createLineClock } from '../dialects/openai/line-clock.js';
import type { InputFrame } from '../io/frame-reader.js';
import type { LineWriter } from '../io/line-writer.js';
import { TypedLines, type TypedSession } from './typed-lines.js';

export interface FurtherLinesOptions {
  readonly configuration: Configuration;
  readonly session: SessionChoice;
  readonly host: AgentHost;
  readonly service: ControlService;
  readonly writer: LineWriter;
  readonly commands: () => Promise<SessionCommands>;
  readonly turns: () => Promise<TurnCommands>;
  /** Tells why a line came to nothing. */
  readonly refuse: (error: AgentError, lineNumber: number) => void;
  /** Hears of lines of a type that nobody here knows (F12). */
  readonly ignore: (type: string) => void;
  /** Ends the program with this error. */
  readonly leave: (reason: AgentError) => void;
}

/**
 * The lines of the openai dialect in a process that speaks that of the SDK (CF-01): chat requests for its one session,
 * heartbeats, cancels and hints. Loaded with the first of them.
 */
export class FurtherLines {
  readonly #options: FurtherLinesOptions;
  readonly #prompts: PromptIds;
  readonly #hostTools = new HostTools();
  readonly #typed: TypedLines<TypedSession>;
  readonly #turns: ChatTurns;
  #isInputEnded = false;

  constructor(options: FurtherLinesOptions) {
    const { session, host, service, commands, turns } = options;
    this.#options = options;
    this.#prompts = new PromptIds(session.sessionId);
    this.#typed = this.#createTyped();
    this.#turns = new ChatTurns({
      host,
      prompts: this.#prompts,
      hostTools: this.#hostTools,
      isNew: () => session.kind === 'new' && !host.hasBegun,
      ownTools: () => [...Object.values(TOOL_TABLE), ...service.mcp.tools],
      commands,
      turns,
    });
  }

  /** The functions that the host runs by itself. */
  get tools(): HostTools['list'] {
    return this.#hostTools.list;
  }

  /** Takes a line; gives what has to wait for its turn among the prompts, which never rejects. Never throws. */
  take({ frame, text, lineNumber }: InputFrame): ChatStep | undefined {
    const refuse = (thrown: unknown): void => this.#options.refuse(AgentError.from(thrown), lineNumber);
    try {
      const step = this.#read(readFurther(frame, text));
      return step && (() => step().catch(refuse));
    } catch (thrown) {
      refuse(thrown);
      return undefined;
    }
  }

  /** Hears of an event before its lines are written: the answer to a call may be quick. */
  hearBefore(event: AgentEvent): void {
    if (event.type !== 'message_end' || event.parentToolUseId !== null) return;
    for (const block of event.content) if (block.type === 'tool_use') this.#hostTools.announce(block.id, block.name);
  }

  /** Hears of the end of a turn once it was told. */
  hearAfter(event: AgentEvent): void {
    if (event.type !== 'turn_end') return;
    this.#hostTools.forget();
    this.#prompts.release(event.turnId);
  }

  endInput(): void {
    this.#isInputEnded = true;
    this.#hostTools.endInput();
  }

  async close(): Promise<void> {
    await this.#typed.close();
  }

  #read(line: InputLine): ChatStep | undefined {
    switch (line.kind) {
      case 'chat':
        return this.#speaks(line.request) ? this.#turns.take(line.request, line.history) : undefined;
      case 'typed':
        if (this.#speaks(line.request)) this.#typed.take(line.request, this.#options.service);
        return undefined;
      case 'unknown':
        this.#options.ignore(line.type);
        return undefined;
      case 'invalid':
        throw line.error;
      case 'control':
      case 'message':
        return undefined;
    }
  }

  /** Whether the host speaks a version that we know; one that does not is told, and the program ends (K-05, GAP-37). */
  #speaks({ protocol_version: version }: { readonly protocol_version?: number | null | undefined }): boolean {
    if (version === undefined || version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return true;
    const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    const error = new AgentError('unsupported_protocol', `protocol_version: expected ${supported}, not ${version}`);
    this.#options.leave(error);
    throw error;
  }

  #createTyped(): TypedLines<TypedSession> {
    const { configuration, host, writer, commands } = this.#options;
    const session = this.#toSession();
    const clock = createLineClock(() => Date.now());
    const { sessionId } = host;
    return new TypedLines({
      pool: { latest: session, running: (name) => (!name || name === sessionId ? session : undefined) },
      voice: {
        originOf: () => ({ format: 'message', clock, sessionId, model: host.model }),
        say: (line) => writer.writeControl(encodeLine(line)),
      },
      configuration,
      commandsOf: commands,
    });
  }

  #toSession(): TypedSession {
    const { configuration, host } = this.#options;
    const prompts = this.#prompts;
    const isEnding = (): boolean => this.#isInputEnded;
    return {
      sessionId: host.sessionId,
      roots: [configuration.cwd, ...configuration.moreRoots],
      host,
      get isIdle() {
        return host.isIdle;
      },
      // A user message is called by its own id.
      get promptInFlight() {
        const turnId = host.turnInFlight;
        return turnId === undefined ? undefined : (prompts.of(turnId) ?? turnId);
      },
      cancel: () => cancelTurn(host, { isEnding: isEnding() }),
    };
  }
}
