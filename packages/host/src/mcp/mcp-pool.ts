import { type AnyTool, settlesWithin } from '@qwen/agent';
import { AgentError, DEFAULT_TIMEOUTS } from '@qwen/protocol';
import type { Elicit } from '@qwen/tools';
import type { McpServerChoice } from '../config/mcp-servers.js';
import type { Notice } from '../notice.js';
import { ManagedServer, type McpServerStatus } from './managed-server.js';
import type { McpConnector, McpOrigin, McpSend } from './mcp-connection.js';

export interface McpPoolOptions {
  readonly connector: McpConnector;
  readonly sendToApp?: (name: string) => McpSend;
  /** Finds servers in files, once. Rejects with problems of the files. */
  readonly discover?: () => Promise<McpServerChoice>;
  /** Default: every name. */
  readonly allowedNames?: readonly string[];
  readonly onChanged: () => void;
  readonly announce: (notice: Notice) => void;
  /** Asks the user for input of a server; undefined when no one answers. */
  readonly elicitFor?: (name: string) => Elicit | undefined;
}

export interface McpLimits {
  /** Per request, in milliseconds; 0 means none. Default 60,000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Until a server is ready, in milliseconds; 0 means none. Default 30,000. */
  readonly startTimeoutMs?: number | undefined;
  /** Whether the first turn waits for the servers until their start has ended. Default: at most 2 seconds. */
  readonly isWaitedFor?: boolean | undefined;
}

export interface McpReplacement {
  readonly added: string[];
  readonly removed: string[];
  /** By name. */
  readonly errors: Record<string, string>;
}

const DEFAULT_START_TIMEOUT_MS = 30_000;
const FIRST_TURN_WAIT_MS = 2000;

/** Owns the MCP servers of a session and connects them in parallel in the background. */
export class McpPool {
  readonly #options: McpPoolOptions;
  readonly #servers = new Map<string, ManagedServer>();
  readonly #starts: Promise<void>[] = [];
  #discovery: Promise<void> | undefined;
  #limits: McpLimits = {};
  #replaceable: ReadonlySet<string> = new Set();
  #resourceTools: readonly AnyTool[] = [];
  #isClosed = false;

  constructor(options: McpPoolOptions) {
    this.#options = options;
  }

  /** Adds new, allowed servers; the first definition of a name wins. */
  add({ inApp, outside }: McpServerChoice): void {
    const { sendToApp } = this.#options;
    if (sendToApp !== undefined) for (const name of inApp) this.#addOne(name, { kind: 'app', send: sendToApp(name) });
    for (const [name, definition] of Object.entries(outside)) this.#addOne(name, { kind: 'outside', definition });
  }

  /**
   * Replaces the servers in the app and those of earlier calls; a server with an unchanged definition stays connected.
   * Resolves when the new ones are connected or have failed.
   */
  async replace({ inApp, outside }: McpServerChoice): Promise<McpReplacement> {
    const { sendToApp, allowedNames } = this.#options;
    const wanted = new Map<string, McpOrigin>();
    if (sendToApp !== undefined) for (const name of inApp) wanted.set(name, { kind: 'app', send: sendToApp(name) });
    for (const [name, definition] of Object.entries(outside)) wanted.set(name, { kind: 'outside', definition });
    const removed = await this.#removeUnless(wanted);
    if (this.#isClosed) throw new AgentError('channel_closed', 'The session has ended.');
    this.#replaceable = new Set(wanted.keys());
    const added = [...wanted.keys()].filter(
      (name) => !this.#servers.has(name) && allowedNames?.includes(name) !== false,
    );
    this.add({ inApp, outside });
    const starts = added.map((name) => this.get(name).start());
    this.#starts.push(...starts);
    await withinLimit(Promise.all(starts), this.#startTimeoutMs());
    this.#changed();
    const errors: Record<string, string> = {};
    for (const name of wanted.keys()) {
      const server = this.#servers.get(name);
      const problem = server === undefined ? 'Its name is not allowed in this session.' : problemOf(server);
      if (problem !== undefined) errors[name] = problem;
    }
    return { added, removed, errors };
  }

  async #removeUnless(wanted: ReadonlyMap<string, McpOrigin>): Promise<string[]> {
    const leaving: ManagedServer[] = [];
    for (const [name, server] of this.#servers) {
      const place = wanted.get(name);
      const stays = place === undefined ? !server.isInApp && !this.#replaceable.has(name) : server.isAt(place);
      if (!stays) leaving.push(server);
    }
    for (const { name } of leaving) this.#servers.delete(name);
    await Promise.allSettled(leaving.map((server) => server.remove()));
    return leaving.map(({ name }) => name);
  }

  limit(limits: McpLimits): void {
    this.#limits = { ...this.#limits, ...limits };
  }

  start(): void {
    this.#startNew();
    this.#discovery ??= this.#discover();
  }

  #startNew(): void {
    if (this.#isClosed) return;
    for (const server of this.#servers.values()) if (server.isNew) this.#starts.push(server.start());
  }

  /** Resolves when every server connected or failed, or after the time limit. */
  async whenReady(): Promise<void> {
    this.start();
    await this.#discovery;
    const { isWaitedFor = true } = this.#limits;
    // Servers added meanwhile are not waited for.
    if (isWaitedFor && this.#starts.length > 0) await withinLimit(Promise.all(this.#starts), this.#startTimeoutMs());
  }

  /**
   * For the first turn, unless the app chose a limit: servers that are not ready by then, and not required, join later. Tools that are
   * known from their last start are offered at once.
   */
  async beforeFirstTurn(): Promise<void> {
    const { isWaitedFor, startTimeoutMs } = this.#limits;
    if (isWaitedFor !== undefined || startTimeoutMs !== undefined) return this.whenReady();
    this.start();
    await withinLimit(
      Promise.resolve(this.#discovery).then(() => Promise.all(this.#starts)),
      FIRST_TURN_WAIT_MS,
    );
    const required = this.servers.filter((server) => server.isRequired && server.status === 'connecting');
    await Promise.all(required.map((server) => server.connect().catch(() => undefined)));
    const late = this.servers.filter(({ status }) => status === 'connecting');
    if (late.length === 0) return;
    await withinLimit(Promise.all(late.map((server) => server.offerRemembered())), FIRST_TURN_WAIT_MS);
    const names = late.map(({ name }) => name).join(', ');
    const message = `Still starting: the MCP servers ${names}. Their tools become available when they are ready.`;
    this.#options.announce({ code: 'mcp_servers_starting', message });
  }

  list(): readonly { readonly name: string; readonly status: McpServerStatus; readonly error?: string }[] {
    return [...this.#servers.values()].map(({ name, status, error }) => ({
      name,
      status,
      ...(error !== undefined && { error }),
    }));
  }

  get(name: string): ManagedServer {
    const server = this.#servers.get(name);
    if (server === undefined) throw new AgentError('invalid_payload', `There is no MCP server "${name}".`);
    return server;
  }

  get servers(): readonly ManagedServer[] {
    return [...this.#servers.values()];
  }

  get tools(): readonly AnyTool[] {
    const hasResources = this.servers.some(({ connection }) => connection?.hasResources === true);
    return [...this.servers.flatMap((server) => server.tools), ...(hasResources ? this.#resourceTools : [])];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.servers.map((server) => server.remove()));
  }

  async #discover(): Promise<void> {
    try {
      const found = await this.#options.discover?.();
      if (found !== undefined) this.add(found);
      this.#startNew();
    } catch (thrown) {
      const { message } = AgentError.from(thrown);
      this.#options.announce({ code: 'mcp_servers_unreadable', message });
    }
  }

  #addOne(name: string, place: McpOrigin): void {
    const { allowedNames, connector, announce, elicitFor } = this.#options;
    if (this.#servers.has(name) || allowedNames?.includes(name) === false) return;
    const server = new ManagedServer({
      name,
      place,
      connector,
      limits: () => this.#limitsOf(place),
      onChanged: () => this.#changed(),
      announce,
      elicit: () => elicitFor?.(name),
    });
    this.#servers.set(name, server);
  }

  #limitsOf(place: McpOrigin) {
    const own = place.kind === 'outside' ? place.definition.config.timeout : undefined;
    return {
      requestTimeoutMs: own ?? this.#limits.requestTimeoutMs ?? DEFAULT_TIMEOUTS.mcpRequest,
      startTimeoutMs: own ?? this.#startTimeoutMs(),
    };
  }

  #startTimeoutMs(): number {
    const { startTimeoutMs, requestTimeoutMs } = this.#limits;
    return startTimeoutMs ?? Math.min(DEFAULT_START_TIMEOUT_MS, requestTimeoutMs || DEFAULT_START_TIMEOUT_MS);
  }

  #changed(): void {
    const hasResources = this.servers.some(({ connection }) => connection?.hasResources === true);
    if (hasResources && this.#resourceTools.length === 0) void this.#loadResourceTools();
    if (!this.#isClosed) this.#options.onChanged();
  }

  async #loadResourceTools(): Promise<void> {
    const { createResourceTools } = await import('./resource-tools.js');
    this.#resourceTools = createResourceTools(() => this.servers);
    this.#changed();
  }
}

function problemOf({ status, error }: ManagedServer): string | undefined {
  return status === 'connecting' ? 'It is still connecting.' : error;
}

/** Rejects as `work` does, unless the limit comes first; 0 is no limit. */
async function withinLimit(work: Promise<unknown>, limitMs: number): Promise<void> {
  if (limitMs <= 0 || (await settlesWithin(work, limitMs))) await work;
}
