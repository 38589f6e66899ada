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
  /** Validated. */
  readonly options: QueryOptions;
  /** Must not throw. */
  readonly send: (line: ControlLine) => void;
  readonly notifyMcpClient: (serverName: string, message: JsonRpcMessage) => Promise<void>;
  /** Must not throw. */
  readonly onProblem: (error: AgentError) => void;
  readonly tracer: ControlTracer | undefined;
}

/** The app's end of the control channel. Its owner closes it. */
export class ControlChannel {
  /** The handlers then work around quirks of qwen-code. */
  isForeignCli = false;
  /** Whether `canUseTool` is called; otherwise permission requests are denied. */
  asksApp = true;
  readonly #onProblem: (error: AgentError) => void;
  readonly #peer: ControlPeer<'app'>;
  readonly #hooks: HookRegistry;
  readonly #servers: McpServerHost;
  #takesOutputFlow = false;
  #isPaused = false;
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
        asksApp: () => this.asksApp,
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

  get hookRegistrations(): HookRegistry['registrations'] {
    return this.#hooks.registrations;
  }

  connectServers(): void {
    this.#servers.start();
  }

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

  interrupt(): void {
    this.request('interrupt', {}).catch(() => undefined);
  }

  /** Takes effect once {@link enableOutputFlow} is called. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#sendFlow();
  }

  enableOutputFlow(): void {
    this.#takesOutputFlow = true;
    this.#sendFlow();
  }

  /** Rejects pending requests with the reason. */
  close(reason: AgentError): void {
    this.#isClosed = true;
    this.#peer.close(reason);
    void this.#servers.close();
  }

  /** Reading never stops: control lines share the pipe. */
  #sendFlow(): void {
    if (!this.#takesOutputFlow || this.#sentPaused === this.#isPaused) return;
    this.#sentPaused = this.#isPaused;
    this.request('set_output_flow', { paused: this.#isPaused }).catch((error: unknown) => {
      if (!this.#isClosed) this.#onProblem(AgentError.from(error));
    });
  }
}
