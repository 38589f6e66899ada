import {
  AgentError,
  type ControlFrame,
  type ControlLine,
  type ControlPayload,
  ControlPeer,
  type ControlResult,
  type ControlTracer,
  type JsonRpcMessage,
  type RequestOptions,
  type SubtypeAskedBy,
} from '@qwen/protocol';
import { HookRegistry } from '../hooks/hook-registry.js';
import { hostedServers, McpServerHost } from '../mcp/mcp-server-host.js';
import type { QueryOptions } from '../options/options.js';
import { toTimeouts } from '../query/initialize-payload.js';
import { createAppHandlers } from './app-handlers.js';

export interface ControlChannelParts {
  /** Validated. Callbacks, hooks and in-process servers serve the requests of the CLI. */
  readonly options: QueryOptions;
  /** Must not throw. */
  readonly send: (line: ControlLine) => void;
  /** Sends a notification from an in-process server to its client in the CLI. */
  readonly notifyMcpClient: (serverName: string, message: JsonRpcMessage) => Promise<void>;
  /** Receives mistakes of the app's callbacks. Must not throw. */
  readonly onProblem: (error: AgentError) => void;
  readonly tracer: ControlTracer | undefined;
}

/** The app's end of the control channel. Its owner passes it control lines and closes it. */
export class ControlChannel {
  /** Set if the CLI is qwen-code: the handlers then work around its quirks. */
  isForeignCli = false;
  readonly #onProblem: (error: AgentError) => void;
  readonly #peer: ControlPeer<'app'>;
  readonly #hooks: HookRegistry;
  readonly #servers: McpServerHost;
  #takesOutputFlow = false;
  #isPaused = false;
  /** The last state sent to the CLI. */
  #sentPaused = false;
  #isClosed = false;

  constructor({ options, send, notifyMcpClient, onProblem, tracer }: ControlChannelParts) {
    this.#onProblem = onProblem;
    this.#hooks = new HookRegistry(options.hooks);
    this.#servers = new McpServerHost({ servers: hostedServers(options), notify: notifyMcpClient, onProblem });
    this.#peer = new ControlPeer({
      side: 'app',
      handlers: createAppHandlers({
        canUseTool: options.canUseTool,
        onElicitation: options.onElicitation,
        onConfirm: options.onConfirm,
        servers: this.#servers,
        hooks: this.#hooks,
        onProblem,
        isForeignCli: () => this.isForeignCli,
        interrupt: () => this.interrupt(),
      }),
      send,
      timeouts: toTimeouts(options.timeout ?? {}),
      onProblem,
      tracer,
    });
  }

  /** For `initialize`; null without hooks. */
  get hookRegistrations(): HookRegistry['registrations'] {
    return this.#hooks.registrations;
  }

  /** Connects the in-process MCP servers. */
  connectServers(): void {
    this.#servers.start();
  }

  /** Synchronous: a callback of the app must not delay the next line. */
  accept(frame: ControlFrame): void {
    this.#peer.accept(frame);
  }

  request<T extends SubtypeAskedBy<'app'>>(
    subtype: T,
    payload: ControlPayload<T>,
    options?: RequestOptions,
  ): Promise<ControlResult<T>> {
    return this.#peer.request(subtype, payload, options);
  }

  /** Stops the running turn; the answer is ignored. */
  interrupt(): void {
    this.request('interrupt', {}).catch(() => undefined);
  }

  /** Pauses or resumes the messages of the CLI, now or once {@link enableOutputFlow} is called. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#sendFlow();
  }

  /** The CLI supports `set_output_flow`. */
  enableOutputFlow(): void {
    this.#takesOutputFlow = true;
    this.#sendFlow();
  }

  /** Rejects pending requests with the reason and closes the transports of the in-process servers. */
  close(reason: AgentError): void {
    this.#isClosed = true;
    this.#peer.close(reason);
    void this.#servers.close();
  }

  /** The SDK itself never stops reading: control lines share the pipe with messages. */
  #sendFlow(): void {
    if (!this.#takesOutputFlow || this.#sentPaused === this.#isPaused) return;
    this.#sentPaused = this.#isPaused;
    this.request('set_output_flow', { paused: this.#isPaused }).catch((error: unknown) => {
      if (!this.#isClosed) this.#onProblem(AgentError.from(error));
    });
  }
}
