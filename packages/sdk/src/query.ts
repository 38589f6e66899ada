import type {
  ControlPayload,
  ControlResult,
  JsonRpcMessage,
  PermissionMode,
  SDKMessage,
  SDKUserMessage,
  SubtypeAskedBy,
} from '@qwen/protocol';
import { Conversation, type ConversationParts, type InitializeResult } from './conversation.js';
import { toServerStatus } from './server-status.js';
import type { CloseOptions, TransportExit } from './transport/transport.js';

/** How one control request shall be asked. */
export interface ControlRequestOptions {
  /** Aborting it rejects the request with `cancelled` and withdraws it. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; 0 and Infinity mean for ever. Default: `timeout.controlRequest` of the query. */
  readonly timeout?: number | undefined;
}

/**
 * A running agent: its messages, to be read with `for await`, and the verbs that steer it. `query()` makes one.
 *
 * The iteration ends when every prompt was answered and the CLI has left. It throws `AbortError` after an abort,
 * `process_exited` when the CLI goes away too early, and what the app's own prompt iterable throws. A result with
 * `is_error` is a message and no throw. Leaving the loop closes the query; afterwards no process is left. The verbs
 * may be called at any time, also from callbacks; after the end they reject with `channel_closed`.
 */
export class Query implements AsyncGenerator<SDKMessage, void, unknown> {
  /** Settles when the CLI is ready; rejects with the reason when it will not be. It need not be awaited. */
  readonly initialized: Promise<void>;
  readonly #conversation: Conversation;

  /** Does no I/O; {@link start} does. Use `query()` unless you bring a transport of your own. */
  constructor(parts: ConversationParts) {
    this.#conversation = new Conversation(parts);
    this.initialized = this.#conversation.initialized.then(() => undefined);
    this.initialized.catch(() => undefined);
  }

  /** Starts the CLI and sends the prompt once it is ready. Call it once. */
  start(prompt: string | AsyncIterable<SDKUserMessage>): void {
    const { input } = this.#conversation;
    const said = typeof prompt === 'string' ? input.say(toUserMessage(prompt)) : input.add(prompt);
    if (typeof prompt === 'string') input.end();
    said.catch((error: unknown) => this.#conversation.failWith(error));
    this.#conversation.start();
  }

  /**
   * The id of the session, as on the wire. Undefined until `initialized` when the CLI chooses it: with `continue`, and
   * with `forkSession` without `sessionId`.
   */
  get sessionId(): string | undefined {
    return this.#conversation.sessionId;
  }

  /** As {@link sessionId}, with an empty string where that is undefined. */
  getSessionId(): string {
    return this.sessionId ?? '';
  }

  /** The process id of the CLI; it stays after the process has ended. */
  get pid(): number | undefined {
    return this.#conversation.pid;
  }

  /** Settles when the CLI is gone, with how it went. Never rejects. */
  get closed(): Promise<TransportExit> {
    return this.#conversation.closed;
  }

  /** Whether the query is over, for whatever reason. */
  isClosed(): boolean {
    return this.#conversation.ended;
  }

  next(): Promise<IteratorResult<SDKMessage, undefined>> {
    return this.#conversation.messages.next();
  }

  /** Closes the query; `break` in a `for await` calls it. */
  async return(): Promise<IteratorResult<SDKMessage, undefined>> {
    await this.close();
    return { done: true, value: undefined };
  }

  /** Closes the query and rejects with the error. */
  async throw(error?: unknown): Promise<IteratorResult<SDKMessage, undefined>> {
    await this.close();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Ends the query: interrupts what runs, ends the CLI and drops messages that were not read; the iteration ends
   * without a throw. Resolves when the process is gone. Idempotent, never rejects.
   */
  async close(options?: CloseOptions): Promise<void> {
    await this.#conversation.close(options);
  }

  /** The answer to `initialize` (O-05): model, mode, commands and capabilities. It was asked at the start. */
  initialize(): Promise<InitializeResult> {
    return this.#conversation.initialized;
  }

  /** Sends further prompts, in order. Resolves when the last one was sent, not when it was answered. */
  streamInput(messages: AsyncIterable<SDKUserMessage>): Promise<void> {
    return this.#conversation.input.add(messages);
  }

  /** Takes no further prompts. Those that were sent are still answered; then the CLI leaves. */
  endInput(): void {
    this.#conversation.input.end();
  }

  /** Stops the running turn; its result has the subtype `interrupted`. Does nothing when none runs (O-06). */
  async interrupt(): Promise<void> {
    await this.#conversation.ask('interrupt', {});
  }

  /** Switches the model from the next model call on (O-07); null means the default model. */
  async setModel(model: string | null): Promise<void> {
    await this.#conversation.ask('set_model', { model });
  }

  /** Switches the permission mode from the next decision on (O-10). */
  async setPermissionMode(mode: PermissionMode): Promise<void> {
    await this.#conversation.ask('set_permission_mode', { mode });
  }

  /** The slash commands, without the slash (O-08). */
  async supportedCommands(): Promise<string[]> {
    const { commands } = await this.#conversation.ask('supported_commands', {});
    return commands;
  }

  /** The state of each MCP server by name: `connected`, `connecting` or `disconnected` (O-11). */
  async mcpServerStatus(): Promise<Record<string, string>> {
    return toServerStatus(await this.#conversation.ask('mcp_server_status', {}));
  }

  /** Sends a JSON-RPC notification in the name of an MCP server of this app to its client in the CLI (O-12). */
  mcpMessage(serverName: string, message: JsonRpcMessage): Promise<void> {
    return this.#conversation.notify({ server_name: serverName, message });
  }

  /** Asks any control request that an app may ask (O-01); the verbs above are shorter. */
  sendControlRequest<T extends SubtypeAskedBy<'app'>>(
    subtype: T,
    data: ControlPayload<T>,
    options: ControlRequestOptions = {},
  ): Promise<ControlResult<T>> {
    const { signal, timeout } = options;
    return this.#conversation.ask(subtype, data, { signal, timeoutMs: timeout === Infinity ? 0 : timeout });
  }
}

function toUserMessage(content: string): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
}
