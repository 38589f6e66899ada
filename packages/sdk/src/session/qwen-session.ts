import { AgentError, type ControlPayload, type ControlResult, defined, type SubtypeAskedBy } from '@qwen/protocol';
import type { ChatPart, ChatRequest, HintRequest } from '@qwen/protocol/openai';
import type { ControlRequestOptions } from '../query/control-results.js';
import { createSessionId } from '../session-id.js';
import type { QwenEventIterator } from '../terminal/events.js';
import type { CloseOptions, TransportExit } from '../transport/transport.js';
import type { CancelAnswer, HeartbeatAnswer, HintAnswer } from './answers.js';
import {
  type PromptOptions,
  requestHead,
  type TurnIds,
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
import type { HintOptions, HintQuestion } from './hint-requests.js';
import type { Receipt } from './receipt.js';
import type { RunningTurn } from './running-turn.js';
import type { SessionCore } from './session-core.js';
import { Turn } from './turn.js';

const NEVER = new AbortController().signal;

/**
 * A CLI process in the openai dialect, for prompts in any number of sessions, slash commands, hints, heartbeats and
 * cancels. `openSession()` creates one; the caller closes it.
 *
 * When the process exits, hangs or is closed, everything pending rejects with the same reason: `process_exited`,
 * `timeout`, `aborted` or `channel_closed`. Below, "the reason of the end".
 */
export class QwenSession implements AsyncDisposable {
  readonly #core: SessionCore;

  /** Use `openSession()`. */
  constructor(core: SessionCore) {
    this.#core = core;
  }

  /** The default session. */
  get sessionId(): string {
    return this.#core.options.sessionId;
  }

  /** First line of the running process: protocol version, capabilities and formats. */
  get receipt(): Receipt {
    return this.#core.receipt;
  }

  /** Process id of the CLI; it changes after a restart. */
  get pid(): number | undefined {
    return this.#core.pid;
  }

  /** When the last line of the CLI arrived, in milliseconds since 1970; undefined before the first. */
  get lastActivityAt(): number | undefined {
    return this.#core.lastActivityAt;
  }

  /** Whether the session has ended, for any reason. */
  isClosed(): boolean {
    return this.#core.ended !== undefined;
  }

  /** Sends a prompt. Turns of one session run in order, those of different sessions in parallel. */
  prompt(prompt: string | readonly ChatPart[], options: PromptOptions = {}): Turn {
    const chatOptions = toChatOptions(options);
    const running = this.#start(options, (ids) => ({
      ...requestHead(ids),
      ...this.#ownTools(),
      ...(chatOptions && { options: chatOptions }),
      input: { origin: 'user', parts: toParts(prompt) },
    }));
    return this.#toTurn(running);
  }

  /**
   * Sends a Qwen Chat Request unchanged; its results are in {@link events}. Resolves when more can be sent. Rejects
   * with the reason of the end.
   */
  send(request: ChatRequest): Promise<void> {
    return this.#core.send(request);
  }

  /**
   * Runs a slash command, or a text with `@` references, as the terminal does: asks `onConfirm` for confirmations and
   * sends the prompt or tool call that follows. Resolves with the outcome; its `turn` may still run. Rejects with
   * `invalid_options` if the text is not a command, and with the reason of the end.
   */
  async command(input: string | CommandInput, options: CommandOptions = {}): Promise<CommandOutcome<Turn>> {
    const { onConfirm = this.#core.options.launch.onConfirm, mode = 'run', signal = NEVER } = options;
    const { turn, ...outcome } = await runCommand(toDescriptor(input), {
      onConfirm,
      mode,
      signal,
      onProblem: this.#core.report.problem,
      start: (toRequest) => this.#start(options, (ids) => ({ ...this.#ownTools(), ...toRequest(ids) })),
    });
    return { ...outcome, turn: turn && this.#toTurn(turn) };
  }

  /**
   * Suggests completions for the text of an input box. Call it on every change: per session and trigger only the
   * latest call gets an answer, earlier ones resolve with undefined. Rejects with `cancelled` after an abort,
   * `timeout`, `unsupported_by_cli` and the reason of the end.
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
          ...defined({ cwd, selected_text: selectedText }),
        },
      }),
    };
    return this.#core.hints.request(request, options);
  }

  /**
   * Cancels the turn of a prompt, or the latest turn of the session. The status is `noop` if nothing was running.
   * Rejects with `timeout` and the reason of the end.
   */
  cancel(ids: Partial<TurnIds> = {}): Promise<CancelAnswer> {
    return this.#core.cancel(ids);
  }

  /** Checks that the process responds. Rejects with `timeout`, `unsupported_by_cli` and the reason of the end. */
  heartbeat({ timeoutMs = 10_000 }: { readonly timeoutMs?: number } = {}): Promise<HeartbeatAnswer> {
    return this.#core.heartbeat(timeoutMs);
  }

  /**
   * Answers a tool call that the CLI delegates to the app and no tool of the options handles. `response` is shown to
   * the model: text, or a JSON value. Resolves when it is sent.
   */
  toolResponse(callId: string, response: unknown, ids: Partial<TurnIds> = {}): Promise<void> {
    return this.#core.send(toToolResponse({ sessionId: this.sessionId, ...ids }, { callId, response }));
  }

  /** Sends any control request that an app may send, for one session. */
  sendControlRequest<T extends SubtypeAskedBy<'app'>>(
    subtype: T,
    data: ControlPayload<T>,
    options: ControlRequestOptions & { readonly sessionId?: string | undefined } = {},
  ): Promise<ControlResult<T>> {
    const { signal, timeout, sessionId = this.sessionId } = options;
    return this.#core.request(subtype, data, { sessionId, signal, timeoutMs: timeout === Infinity ? 0 : timeout });
  }

  /**
   * All events from now on, of every session, in order. Each call returns a separate stream. It ends when the session
   * is closed and throws the reason of any other end. A slow reader pauses the CLI; a stream whose reader starts
   * after more than 4 MiB throws `overloaded`.
   */
  events(): QwenEventIterator {
    const stream = this.#core.events();
    return stream.read(() => this.#core.removeStream(stream));
  }

  /**
   * Cancels running turns, ends the CLI and rejects everything pending with `channel_closed`. Resolves with the exit
   * status when the process is gone. Idempotent, never rejects.
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
    toRequest: (ids: TurnIds) => ChatRequest,
  ): RunningTurn {
    const session = sessionId === '_new' ? createSessionId() : (sessionId ?? this.sessionId);
    const ids = { sessionId: session, promptId: promptId ?? `${session}########${crypto.randomUUID()}` };
    return this.#core.startTurn(ids, toRequest(ids));
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
