import type { TurnCommands } from '@qwen/host/commands/turn-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { LiveSession } from '@qwen/host/sessions/live-session.js';
import { AgentError, encodeLine, SUPPORTED_PROTOCOL_VERSIONS, TOOL_TABLE } from '@qwen/protocol';
import { type ChatRequest, type InputLine, readFurther, type TypedRequest } from '@qwen/protocol/openai';
import { type ChatCommands, ChatTurns, type QueuedChat } from '../chat/chat-turns.js';
import type { ControlService } from '../control/control-service.js';
import { createLineClock } from '../dialects/openai/line-clock.js';
import type { InputFrame } from '../io/frame-reader.js';
import type { LineWriter } from '../io/line-writer.js';
import { unexpectedType } from './line-refusals.js';
import { type TypedOutput, TypedRequestHandler, type TypedSessions } from './typed-request-handler.js';

export interface LineRouterOptions {
  readonly sessions: TypedSessions & {
    /** The session of a chat request. Throws when there is none. */
    take(sessionId: string | null | undefined): LiveSession;
  };
  readonly configuration: Configuration;
  readonly service: ControlService;
  readonly commands: ChatCommands;
  readonly output: TypedOutput;
  readonly refuse: (error: AgentError, lineNumber: number, session?: LiveSession) => void;
  /** Called for a version that this program does not speak: it must end. */
  readonly leave: (error: AgentError, lineNumber: number) => void;
  /** Called for an unknown line type. Default: refuse the line. */
  readonly ignore?: (error: AgentError) => void;
}

/** Passes each input line to its owner: control channel, typed requests, or the turns of chat requests. */
export class LineRouter {
  readonly typed: TypedRequestHandler;
  readonly #options: LineRouterOptions;
  readonly #chats: ChatTurns;

  constructor(options: LineRouterOptions) {
    const { sessions, service, commands } = options;
    this.#options = options;
    this.typed = new TypedRequestHandler(options);
    this.#chats = new ChatTurns({
      sessionOf: (sessionId) => sessions.take(sessionId),
      ownTools: () => [...Object.values(TOOL_TABLE), ...service.mcp.tools],
      commands,
    });
  }

  /** Returns what to queue in its session, if anything. Never throws. */
  read({ frame, text, lineNumber }: InputFrame): QueuedChat | undefined {
    const line: InputLine = readFurther(frame, text);
    const { service, sessions, ignore } = this.#options;
    const refuse = (error: AgentError, session?: LiveSession): void => this.#options.refuse(error, lineNumber, session);
    switch (line.kind) {
      case 'control':
        service.accept(line.frame);
        return undefined;
      case 'chat':
        if (!this.#checkVersion(line.request, lineNumber)) return undefined;
        return this.#chats.read({ request: line.request, history: line.history, refuse });
      case 'typed':
        if (this.#checkVersion(line.request, lineNumber)) this.typed.take(line.request);
        return undefined;
      case 'message': {
        const { message } = line;
        if (message.type === 'user') {
          const { sessionId } = sessions.running(message.session_id) ?? sessions.latest;
          return this.#chats.readMessage(message, sessionId, refuse);
        }
        refuse(unexpectedType(message.type));
        return undefined;
      }
      case 'unknown':
        (ignore ?? refuse)(unexpectedType(line.type));
        return undefined;
      case 'invalid':
        refuse(line.error);
        return undefined;
    }
  }

  /** An unsupported protocol version ends the program. */
  #checkVersion({ protocol_version: version }: ChatRequest | TypedRequest, lineNumber: number): boolean {
    if (version === undefined || version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return true;
    const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    const message = `protocol_version: expected ${supported}, not ${version}`;
    this.#options.leave(new AgentError('unsupported_protocol', message, { data: { requested: version } }), lineNumber);
    return false;
  }
}

interface SoleRouting extends Pick<LineRouterOptions, 'configuration' | 'service' | 'ignore'> {
  readonly writer: LineWriter;
  readonly turns: TurnCommands;
  readonly refuse: (error: AgentError, lineNumber: number) => void;
  readonly leave: (error: AgentError) => void;
}

/** Routes the openai lines of an SDK process, which has one session: every request has one result. */
export function routeSoleSession(session: LiveSession, routing: SoleRouting): LineRouter {
  const { writer, turns, refuse, leave, ...options } = routing;
  const { sessionId } = session;
  const clock = createLineClock(() => Date.now());
  return new LineRouter({
    ...options,
    sessions: {
      latest: session,
      running: (name) => (!name || name === sessionId ? session : undefined),
      take: (name) => {
        if (!name || name === '_new' || name === sessionId) return session;
        const where = `is not in this process, which has only the session ${sessionId}`;
        throw new AgentError('session_not_found', `session_id: "${name}" ${where}`);
      },
    },
    commands: {
      run: ({ turnId, signal, request }, invocation) =>
        turns.run({ turnId, signal, isReported: request.options?.command_mode === 'report' }, invocation),
      expand: (turn, content, references) => turns.expand(turn, content, references),
      confirmNote: ({ turnId }) => turns.confirm(turnId),
    },
    output: {
      originOf: () => ({ format: 'message', clock, sessionId, model: session.host.model }),
      writeLine: (line) => writer.writeControl(encodeLine(line)),
    },
    refuse,
    leave: (error, lineNumber) => {
      refuse(error, lineNumber);
      leave(error);
    },
  });
}
