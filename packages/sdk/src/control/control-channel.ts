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
import { checkMcpServers } from '../options/check-mcp-servers.js';
import { isSdkMcpServerConfig, type QueryOptions } from '../options/options.js';
import { toTimeouts, toWireServer } from '../query/initialize-payload.js';
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

/** The CLI stops slow SessionEnd hooks after one second. */
const SESSION_END_LIMIT_MS = 3_000;

/** The app's end of the control channel. Its owner closes it. */
export class ControlChannel {
  /** The handlers then work around quirks of qwen-code. */
  isForeignCli = false;
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

  /** Lets SessionEnd hooks of the app run while they can answer; without any, it does nothing. Never rejects. */
  async endSession(reason: 'prompt_input_exit' | 'other'): Promise<void> {
    if (!this.#hooks.has('SessionEnd')) return;
    this.setPaused(false);
    // An older CLI refuses the request.
    await this.request('end_session', { reason }, { timeoutMs: SESSION_END_LIMIT_MS }).catch(() => undefined);
  }

  get hasEndHooks(): boolean {
    return this.#hooks.has('SessionEnd');
  }

  /** Replaces the servers of the app. Rejects with `invalid_options` before anything changes. */
  async setMcpServers(mcpServers: NonNullable<QueryOptions['mcpServers']>): Promise<ControlResult<'mcp_set_servers'>> {
    checkMcpServers(mcpServers, 'setMcpServers');
    const inApp = hostedServers({ mcpServers });
    const servers = Object.fromEntries(
      Object.entries(mcpServers).map(([name, config]) => [
        name,
        isSdkMcpServerConfig(config) ? { type: 'sdk' as const, name } : toWireServer(config),
      ]),
    );
    const changed = this.#servers.add(inApp);
    const first = changed.length === 0 ? undefined : await this.#replaceServers(omit(servers, changed));
    const last = await this.#replaceServers(servers);
    await this.#servers.keepOnly(new Set(inApp.keys()));
    // To the CLI, another instance of the same name is the same server: it must see it leave.
    return first === undefined ? last : joinReplacements(first, last);
  }

  #replaceServers(servers: ControlPayload<'mcp_set_servers'>['servers']) {
    return this.request('mcp_set_servers', { servers });
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

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#sendFlow();
  }

  enableOutputFlow(): void {
    this.#takesOutputFlow = true;
    this.#sendFlow();
  }

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

type Replacement = ControlResult<'mcp_set_servers'>;

function omit<Value>(record: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

function joinReplacements(first: Replacement, last: Replacement): Replacement {
  return {
    added: [...new Set([...first.added, ...last.added])],
    removed: [...new Set([...first.removed, ...last.removed])],
    errors: last.errors,
  };
}
