import { AgentError, type TraceContext } from '@qwen/protocol';
import type { RemoteStart } from '@qwen/protocol/server';
import { createTransport, type LaunchOptions } from '@qwen/sdk';
import type { AgentLaunch } from '../agent/agent-process.js';
import type { WorkspaceFolders } from '../core/workspace-folders.js';
import type { EventLog } from '../log/event-log.js';
import type { LogSubscription } from '../log/log-subscription.js';
import { MemoryStore } from '../log/memory-store.js';
import { StoredEventLog } from '../log/stored-event-log.js';
import { PacedOutput } from './paced-output.js';
import { RemoteAgent } from './remote-agent.js';

export interface RemoteAgentRegistryOptions {
  /** Default folder of CLIs; absolute. */
  readonly workspaceRoot: string;
  readonly folders: Pick<WorkspaceFolders, 'find'>;
  readonly launch?: AgentLaunch | undefined;
  /** Default 32. */
  readonly maxAgents?: number | undefined;
  /** A CLI is stopped when its client is silent for this time. Default 120,000. */
  readonly graceMs?: number | undefined;
  /** Unacknowledged output; one line may exceed it. Default 4 MiB. */
  readonly windowBytes?: number | undefined;
}

export interface RemoteConnection {
  once(event: 'close', listener: () => void): unknown;
}

interface Entry {
  readonly agent: RemoteAgent;
  readonly idleTimer: NodeJS.Timeout;
  readonly started: Promise<void>;
}

const EXIT_READ_MS = 1000;
/** The window limits the lag. */
const NEVER_MS = 2 ** 31 - 1;

/** Keeps events until their reader acknowledges them. */
class AcknowledgedStore extends MemoryStore {
  readonly #acknowledged = new Map<string, number>();

  /** The next `evict` drops them. */
  acknowledge(sessionId: string, seq: number): void {
    this.#acknowledged.set(sessionId, seq);
  }

  override async evict(sessionId: string): Promise<number> {
    const { lastSeq } = await this.read({ sessionId, afterSeq: 0, limit: 0, maxBytes: 0 });
    return super.evict(sessionId, { maxEvents: lastSeq - (this.#acknowledged.get(sessionId) ?? 0) });
  }

  override async delete(sessionId: string): Promise<void> {
    this.#acknowledged.delete(sessionId);
    await super.delete(sessionId);
  }
}

/**
 * CLIs for remote queries. The owner closes the registry. Errors of all methods that name a CLI:
 * `session_not_found`.
 */
export class RemoteAgentRegistry {
  readonly graceMs: number;
  readonly windowBytes: number;
  readonly #options: RemoteAgentRegistryOptions;
  readonly #store = new AcknowledgedStore();
  readonly #log: EventLog;
  readonly #entries = new Map<string, Entry>();
  readonly #connections = new Set<RemoteConnection>();
  #closing: Promise<void> | undefined;
  #onLastClosed: (() => void) | undefined;

  constructor(options: RemoteAgentRegistryOptions) {
    this.#options = options;
    this.graceMs = options.graceMs ?? 120_000;
    this.windowBytes = options.windowBytes ?? 4 * 1024 * 1024;
    const limits = { maxLagBytes: this.windowBytes, lagGraceMs: NEVER_MS };
    this.#log = new StoredEventLog(this.#store, { limits });
  }

  /** Includes CLIs whose exit was not read yet. */
  get count(): number {
    return this.#entries.size;
  }

  /** Idempotent. Errors: `overloaded`, `shutting_down`, `cwd_missing`, `path_refused`, `cli_not_found`, `spawn_failed`. */
  async start(id: string, request: RemoteStart, trace?: TraceContext): Promise<void> {
    this.#checkOpen();
    const { folders, workspaceRoot } = this.#options;
    const cwd = await folders.find(request.cwd ?? workspaceRoot, workspaceRoot);
    this.#checkOpen();
    const known = this.#entries.get(id) ?? this.#add(id, { ...request, cwd }, trace);
    await known.started;
  }

  /** Refreshes the idle timer. */
  get(id: string): RemoteAgent {
    return this.#find(id).agent;
  }

  /** The caller closes the subscription. */
  async attach(id: string, afterSeq: number, connection?: RemoteConnection): Promise<LogSubscription> {
    const subscription = await this.#find(id).agent.attach(afterSeq);
    if (connection === undefined) return subscription;
    this.#connections.add(connection);
    connection.once('close', () => {
      this.#connections.delete(connection);
      if (this.#connections.size === 0) this.#onLastClosed?.();
    });
    return subscription;
  }

  async acknowledge(id: string, seq: number): Promise<void> {
    const { agent } = this.#find(id);
    this.#store.acknowledge(id, seq);
    agent.acknowledge(seq);
    if (this.#entries.has(id)) await this.#log.evict(id);
  }

  /** Connected clients still get the exits. Never rejects. */
  close({ graceMs }: { readonly graceMs?: number | undefined } = {}): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new AgentError('shutting_down', 'The server is shutting down.');
  }

  #add(id: string, request: RemoteStart, trace?: TraceContext): Entry {
    const { launch, maxAgents = 32 } = this.#options;
    if (this.#entries.size >= maxAgents) {
      throw new AgentError('overloaded', `The server already runs ${maxAgents} remote queries.`);
    }
    const output = new PacedOutput(this.windowBytes, launch?.spawnProcess);
    const agent = new RemoteAgent({
      id,
      log: this.#log,
      output,
      transport: createTransport(this.#launchOf(request, output), request.arguments, () => trace),
      onDone: () => void this.#forget(id),
    });
    const idleTimer = setTimeout(() => void this.#abandon(id), this.graceMs).unref();
    const entry: Entry = { agent, idleTimer, started: this.#start(id, agent) };
    this.#entries.set(id, entry);
    return entry;
  }

  #launchOf({ cwd, max_line_bytes }: RemoteStart, output: PacedOutput): LaunchOptions {
    const { launch = {} } = this.#options;
    return {
      ...launch,
      // Do not leak the server token to child processes.
      env: { ...launch.env, QWEN_SERVER_TOKEN: undefined },
      cwd,
      spawnProcess: output.spawn,
      ...(max_line_bytes !== undefined && { maxLineBytes: max_line_bytes }),
    };
  }

  async #start(id: string, agent: RemoteAgent): Promise<void> {
    try {
      await this.#log.create(id);
      await agent.start();
    } catch (error) {
      await this.#forget(id);
      throw error;
    }
  }

  #find(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new AgentError('session_not_found', 'No remote query has this id.');
    entry.idleTimer.refresh();
    return entry;
  }

  async #abandon(id: string): Promise<void> {
    await this.#entries.get(id)?.agent.close();
    await this.#forget(id);
  }

  async #forget(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    clearTimeout(entry.idleTimer);
    this.#entries.delete(id);
    await this.#log.delete(id).catch(() => undefined);
  }

  async #close(graceMs: number | undefined): Promise<void> {
    const entries = [...this.#entries.values()];
    for (const { idleTimer } of entries) clearTimeout(idleTimer);
    await Promise.all(entries.map(({ agent }) => agent.close({ graceMs })));
    if (this.#connections.size > 0) await this.#lastClosed();
    await this.#log.close();
    this.#entries.clear();
  }

  /** Clients disconnect after they have read the exit. */
  async #lastClosed(): Promise<void> {
    const { promise, resolve: settle } = Promise.withResolvers<void>();
    this.#onLastClosed = settle;
    const timer = setTimeout(settle, EXIT_READ_MS);
    await promise;
    clearTimeout(timer);
  }
}
