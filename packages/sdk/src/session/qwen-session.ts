import { AgentError, type ControlPayload, type ControlResult, type SubtypeAskedBy } from '@qwen/protocol';
import type { ChatPart, ChatRequest, HintRequest } from '@qwen/protocol/openai';
import type { ControlRequestOptions } from '../query-verbs.js';
import { createSessionId } from '../session-id.js';
import type { QwenEvent } from '../terminal/events.js';
import type { CloseOptions, TransportExit } from '../transport/transport.js';
import type { CancelAnswer, HeartbeatAnswer, HintAnswer } from './answers.js';
import {
  type PromptOptions,
  requestHead,
  type TurnPlace,
  toChatOptions,
  toFunctionTool,
  toParts,
  toToolResponse,
} from './chat-requests.js';
import {
  type CommandInput,
  type CommandOptions,
  type CommandOutcome,
  runCommand,
  toDescriptor,
} from './command-runs.js';
import type { HintOptions, HintQuestion } from './hint-desk.js';
import type { Receipt } from './receipt.js';
import type { RunningTurn } from './running-turn.js';
import type { SessionCore } from './session-core.js';
import { Turn } from './turn.js';

const NEVER = new AbortController().signal;

/**
 * A process that speaks the openai dialect: prompts in any number of sessions, slash commands, hints, heartbeats and
 * cancels. `openSession()` makes one; whoever opened it closes it.
 *
 * Nothing hangs: when the process goes away, is hung or is closed, everything that waits rejects with one reason:
 * `process_exited`, `timeout`, `aborted` or `channel_closed`.
 */
export class QwenSession implements AsyncDisposable {
  readonly #core: SessionCore;

  /** The core is open. */
  constructor(core: SessionCore) {
    this.#core = core;
  }

  /** The session of everything that names no other one. */
  get sessionId(): string {
    return this.#core.options.sessionId;
  }

  /** What the running process said first: version, capabilities, formats (K-01). */
  get receipt(): Receipt {
    return this.#core.receipt;
  }

  /** The process id of the CLI; another one after a restart. */
  get pid(): number | undefined {
    return this.#core.pid;
  }

  /** When the CLI last said anything, in milliseconds since 1970; undefined before that. */
  get lastActivityAt(): number | undefined {
    return this.#core.lastActivityAt;
  }

  /** Whether it is over, for whatever reason. */
  isClosed(): boolean {
    return this.#core.ended !== undefined;
  }

  /** Says something. The turn begins when those before it in its session are over; other sessions run beside it. */
  prompt(prompt: string | readonly ChatPart[], options: PromptOptions = {}): Turn {
    const chatOptions = toChatOptions(options);
    const running = this.#start(options, (place) => ({
      ...requestHead(place),
      ...this.#ownTools(),
      ...(chatOptions && { options: chatOptions }),
      input: { origin: 'user', parts: toParts(prompt) },
    }));
    return this.#toTurn(running);
  }

  /**
   * Sends a Qwen Chat Request as it is. What comes of it is in {@link events}. Resolves when more can be sent; rejects
   * with the reason of the end.
   */
  send(request: ChatRequest): Promise<void> {
    return this.#core.send(request);
  }

  /**
   * Runs a slash command, or a text with references to files, as a terminal does (F-29): questions go to `onConfirm`, and
   * words for the model or a tool that follow from it are sent. Resolves with what came of it; a turn that follows may
   * still run. Rejects with `invalid_options` for a text that is no command, and with the reason of the end.
   */
  async command(input: string | CommandInput, options: CommandOptions = {}): Promise<CommandOutcome<Turn>> {
    const { onConfirm = this.#core.options.launch.onConfirm, mode = 'run', signal = NEVER } = options;
    const { turn, ...outcome } = await runCommand(toDescriptor(input), {
      onConfirm,
      mode,
      signal,
      onProblem: this.#core.report.problem,
      start: (toRequest) => this.#start(options, (place) => ({ ...this.#ownTools(), ...toRequest(place) })),
    });
    return { ...outcome, turn: turn && this.#toTurn(turn) };
  }

  /**
   * What could be meant by what stands in an input box. Ask at every change: of a session and trigger only the newest
   * question counts, and an older one resolves with undefined. Rejects with `cancelled` after an abort, `timeout`, `unsupported_by_cli` and
   * the reason of the end.
   */
  async hints(question: HintQuestion, options: HintOptions = {}): Promise<HintAnswer | undefined> {
    const { ended } = this.#core;
    if (ended !== undefined) throw ended;
    this.#core.require('commandHints');
    const { trigger, text, cursor = text.length, cwd, selectedText, sessionId = this.sessionId } = question;
    const request: HintRequest = {
      type: 'command_hint_request',
      session_id: sessionId,
      prompt_id: question.promptId ?? `${sessionId}########preview`,
      trigger,
      text,
      cursor,
      ...((cwd ?? selectedText) !== undefined && {
        context: {
          ...(cwd !== undefined && { cwd }),
          ...(selectedText !== undefined && { selected_text: selectedText }),
        },
      }),
    };
    return this.#core.hints.ask(request, options);
  }

  /**
   * Stops the turn of a prompt, or the newest one of the session, as Escape does. Resolves with `noop` when there was
   * nothing to stop. Rejects with `timeout` and the reason of the end.
   */
  cancel(place: Partial<TurnPlace> = {}): Promise<CancelAnswer> {
    return this.#core.cancel(place);
  }

  /** Asks for a sign of life now. Rejects with `timeout`, `unsupported_by_cli` and the reason of the end. */
  heartbeat({ timeoutMs = 10_000 }: { readonly timeoutMs?: number } = {}): Promise<HeartbeatAnswer> {
    return this.#core.heartbeat(timeoutMs);
  }

  /**
   * Answers a call that the CLI leaves to the app, where no tool of the options does. `response` is what the model reads: a
   * text, or anything that JSON can say. Resolves when it was sent.
   */
  toolResponse(callId: string, response: unknown, place: Partial<TurnPlace> = {}): Promise<void> {
    return this.#core.send(toToolResponse({ sessionId: this.sessionId, ...place }, { callId, response }));
  }

  /** Asks any control request that an app may ask, about one session (CF-35). */
  sendControlRequest<T extends SubtypeAskedBy<'app'>>(
    subtype: T,
    data: ControlPayload<T>,
    options: ControlRequestOptions & { readonly sessionId?: string | undefined } = {},
  ): Promise<ControlResult<T>> {
    const { signal, timeout, sessionId = this.sessionId } = options;
    return this.#core.ask(subtype, data, { sessionId, signal, timeoutMs: timeout === Infinity ? 0 : timeout });
  }

  /**
   * Everything that happens from now on, in order, of all sessions. Each call gives a stream of its own. It ends when the
   * session is closed, throws the reason of any other end, and `overloaded` when nobody began to read for 4 MiB; whoever
   * reads slowly slows the CLI. It may be left early.
   */
  events(): AsyncIterableIterator<QwenEvent, undefined> {
    const stream = this.#core.events();
    return stream.read(() => this.#core.forget(stream));
  }

  /**
   * Ends the session: stops what runs, ends the CLI, rejects what waits with `channel_closed`. Resolves with how the process
   * went, when it is gone. Idempotent, never rejects.
   */
  async close(options?: CloseOptions): Promise<TransportExit> {
    await this.#core.close(new AgentError('channel_closed', 'The session has closed.'), options);
    return this.#core.exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #start(
    { sessionId, promptId }: { readonly sessionId?: string | undefined; readonly promptId?: string | undefined },
    toRequest: (place: TurnPlace) => ChatRequest,
  ): RunningTurn {
    const session = sessionId === '_new' ? createSessionId() : (sessionId ?? this.sessionId);
    const place = { sessionId: session, promptId: promptId ?? `${session}########${crypto.randomUUID()}` };
    return this.#core.startTurn(place, toRequest(place));
  }

  #ownTools(): Pick<ChatRequest, 'tools'> {
    const { tools } = this.#core.options;
    return tools.length === 0 ? {} : { tools: tools.map(toFunctionTool) };
  }

  #toTurn({ sessionId, promptId, result, events }: RunningTurn): Turn {
    const cancel = () => this.cancel({ sessionId, promptId });
    return new Turn({ sessionId, promptId, result, read: () => events.read(), cancel });
  }
}
