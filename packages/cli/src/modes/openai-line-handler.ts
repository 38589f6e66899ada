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
import { TypedRequestHandler, type TypedSession } from './typed-request-handler.js';

export interface OpenAiLineHandlerOptions {
  readonly configuration: Configuration;
  readonly session: SessionChoice;
  readonly host: AgentHost;
  readonly service: ControlService;
  readonly writer: LineWriter;
  readonly commands: () => Promise<SessionCommands>;
  readonly turns: () => Promise<TurnCommands>;
  readonly refuse: (error: AgentError, lineNumber: number) => void;
  /** Called for unknown line types. */
  readonly ignore: (type: string) => void;
  readonly leave: (reason: AgentError) => void;
}

/** openai-dialect lines in an SDK process: chat requests, heartbeats, cancels and hints. Loaded on first use. */
export class OpenAiLineHandler {
  readonly #options: OpenAiLineHandlerOptions;
  readonly #prompts: PromptIds;
  readonly #hostTools = new HostTools();
  readonly #typed: TypedRequestHandler<TypedSession>;
  readonly #turns: ChatTurns;
  #isInputEnded = false;

  constructor(options: OpenAiLineHandlerOptions) {
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

  get tools(): HostTools['list'] {
    return this.#hostTools.list;
  }

  /** Returns the step to queue with the prompts, if any; the step never rejects. Never throws. */
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

  hearBefore(event: AgentEvent): void {
    if (event.type !== 'message_end' || event.parentToolUseId !== null) return;
    for (const block of event.content) if (block.type === 'tool_use') this.#hostTools.announce(block.id, block.name);
  }

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

  /** An unknown protocol version ends the program. */
  #speaks({ protocol_version: version }: { readonly protocol_version?: number | null | undefined }): boolean {
    if (version === undefined || version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return true;
    const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    const error = new AgentError('unsupported_protocol', `protocol_version: expected ${supported}, not ${version}`);
    this.#options.leave(error);
    throw error;
  }

  #createTyped(): TypedRequestHandler<TypedSession> {
    const { configuration, host, writer, commands } = this.#options;
    const session = this.#toSession();
    const clock = createLineClock(() => Date.now());
    const { sessionId } = host;
    return new TypedRequestHandler({
      pool: { latest: session, running: (name) => (!name || name === sessionId ? session : undefined) },
      eventWriter: {
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
      roots: [configuration.cwd, ...configuration.additionalRoots],
      host,
      get isIdle() {
        return host.isIdle;
      },
      get promptInFlight() {
        const turnId = host.turnInFlight;
        return turnId === undefined ? undefined : (prompts.of(turnId) ?? turnId);
      },
      cancel: () => cancelTurn(host, { isEnding: isEnding() }),
    };
  }
}
