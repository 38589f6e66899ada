import { resolve } from 'node:path';
import { AgentError, createDeferred, type TraceContext } from '@qwen/protocol';
import type { RemoteStart } from '@qwen/protocol/server';
import { createTransport, type LaunchOptions } from '@qwen/sdk';
import type { AgentLaunch } from '../agent/agent-process.js';
import type { EventLog } from '../log/event-log.js';
import type { LogSubscription } from '../log/log-subscription.js';
import { MemoryStore } from '../log/memory-store.js';
import { StoredEventLog } from '../log/stored-event-log.js';
import { PacedOutput } from './paced-output.js';
import { RemoteAgent } from './remote-agent.js';

export interface RemoteDeskOptions {
  /** Where a CLI works that was told no folder; absolute. Relative folders count from here. */
  readonly workspaceRoot: string;
  /** How the CLI is found and started. Default: as `query()` does it. */
  readonly launch?: AgentLaunch | undefined;
  /** CLIs at once. Default 32. */
  readonly maxAgents?: number | undefined;
  /** How long a client may be silent before its CLI is ended, in milliseconds. Default 120,000. */
  readonly graceMs?: number | undefined;
  /** How far a CLI may be ahead of its client, in bytes; one line may be over it. Default 4 MiB. */
  readonly windowBytes?: number | undefined;
}

/** What a client reads over, such as a response of Node.js. */
export interface RemoteConnection {
  once(event: 'close', listener: () => void): unknown;
}

interface Watched {
  readonly agent: RemoteAgent;
  /** Rings when the client was silent for too long. */
  readonly silence: NodeJS.Timeout;
  readonly started: Promise<void>;
}

/** How long the end waits for clients to read how their CLIs went. */
const FAREWELL_MS = 1000;
/** The window bounds how far a client is behind; only its silence is held against it. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Events that are forgotten when their reader says that it has them, and never before: what a cut connection lost is
 * there to be asked for again. The writer bounds how much that can be.
 */
class AcknowledgedStore extends MemoryStore {
  readonly #acknowledged = new Map<string, number>();

  /** The reader of this session has everything up to this seq; the next `evict` drops it. */
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
 * The CLIs that this server runs for queries elsewhere. Each belongs to its client: when that is silent for too long, the
 * CLI is ended. Whoever made the desk closes it.
 *
 * Errors of all verbs that name one: `session_not_found`.
 */
export class RemoteDesk {
  readonly graceMs: number;
  readonly windowBytes: number;
  readonly #options: RemoteDeskOptions;
  readonly #store = new AcknowledgedStore();
  readonly #log: EventLog;
  readonly #watched = new Map<string, Watched>();
  /** Connections over which somebody reads. */
  readonly #connections = new Set<RemoteConnection>();
  #closing: Promise<void> | undefined;
  #onLastLeft: (() => void) | undefined;

  constructor(options: RemoteDeskOptions) {
    this.#options = options;
    this.graceMs = options.graceMs ?? 120_000;
    this.windowBytes = options.windowBytes ?? 4 * 1024 * 1024;
    const limits = { maxLagBytes: this.windowBytes, lagGraceMs: NEVER_MS };
    this.#log = new StoredEventLog(this.#store, { limits });
  }

  /** How many CLIs there are, those included whose end was not read yet. */
  get count(): number {
    return this.#watched.size;
  }

  /**
   * Starts a CLI under an id that the client chose; the same id again is the same CLI. It belongs to the span `trace` of
   * the client, if there is one. Errors: `overloaded`, `shutting_down`, `cwd_missing`, `cli_not_found`, `spawn_failed`.
   */
  async start(id: string, request: RemoteStart, trace?: TraceContext): Promise<void> {
    if (this.#closing !== undefined) throw new AgentError('shutting_down', 'The server is about to end.');
    const known = this.#watched.get(id) ?? this.#watch(id, request, trace);
    await known.started;
  }

  /** The CLI of this id, whose client has just given a sign of life. */
  get(id: string): RemoteAgent {
    return this.#find(id).agent;
  }

  /** Follows what a CLI says, behind a number; see {@link RemoteAgent.attach}. The caller closes the subscription. */
  async attach(id: string, afterSeq: number, connection?: RemoteConnection): Promise<LogSubscription> {
    const subscription = await this.#find(id).agent.attach(afterSeq);
    if (connection === undefined) return subscription;
    this.#connections.add(connection);
    connection.once('close', () => {
      this.#connections.delete(connection);
      if (this.#connections.size === 0) this.#onLastLeft?.();
    });
    return subscription;
  }

  /** The client has everything up to this number. */
  async received(id: string, seq: number): Promise<void> {
    const { agent } = this.#find(id);
    this.#store.acknowledge(id, seq);
    agent.received(seq);
    if (this.#watched.has(id)) await this.#log.evict(id);
  }

  /**
   * Ends all CLIs and lets go of everything. Clients that are connected are told how their CLIs went. Twice is as good as
   * once; never rejects.
   */
  close({ graceMs }: { readonly graceMs?: number | undefined } = {}): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  #watch(id: string, request: RemoteStart, trace?: TraceContext): Watched {
    const { launch, maxAgents = 32 } = this.#options;
    if (this.#watched.size >= maxAgents) {
      throw new AgentError('overloaded', `The server runs ${maxAgents} remote queries and takes no more.`);
    }
    const output = new PacedOutput(this.windowBytes, launch?.spawnProcess);
    const agent = new RemoteAgent({
      id,
      log: this.#log,
      output,
      transport: createTransport(this.#launchOf(request, output), request.arguments, () => trace),
      onDone: () => void this.#forget(id),
    });
    const silence = setTimeout(() => void this.#abandon(id), this.graceMs).unref();
    const watched: Watched = { agent, silence, started: this.#begin(id, agent) };
    this.#watched.set(id, watched);
    return watched;
  }

  #launchOf({ cwd = '.', max_line_bytes }: RemoteStart, output: PacedOutput): LaunchOptions {
    const { workspaceRoot, launch = {} } = this.#options;
    return {
      ...launch,
      // What opens this server is no business of the programs that an agent starts.
      env: { ...launch.env, QWEN_SERVER_TOKEN: undefined },
      cwd: resolve(workspaceRoot, cwd),
      spawnProcess: output.spawn,
      ...(max_line_bytes !== undefined && { maxLineBytes: max_line_bytes }),
    };
  }

  async #begin(id: string, agent: RemoteAgent): Promise<void> {
    try {
      await this.#log.create(id);
      await agent.start();
    } catch (error) {
      await this.#forget(id);
      throw error;
    }
  }

  #find(id: string): Watched {
    const watched = this.#watched.get(id);
    if (watched === undefined) throw new AgentError('session_not_found', 'There is no remote query with this id.');
    watched.silence.refresh();
    return watched;
  }

  async #abandon(id: string): Promise<void> {
    await this.#watched.get(id)?.agent.close();
    await this.#forget(id);
  }

  async #forget(id: string): Promise<void> {
    const watched = this.#watched.get(id);
    if (watched === undefined) return;
    clearTimeout(watched.silence);
    this.#watched.delete(id);
    await this.#log.delete(id).catch(() => undefined);
  }

  async #close(graceMs: number | undefined): Promise<void> {
    const watched = [...this.#watched.values()];
    for (const { silence } of watched) clearTimeout(silence);
    await Promise.all(watched.map(({ agent }) => agent.close({ graceMs })));
    if (this.#connections.size > 0) await this.#lastLeft();
    await this.#log.close();
    this.#watched.clear();
  }

  /** A client that has read how its CLI went hangs up. */
  async #lastLeft(): Promise<void> {
    const { promise, resolve: settle } = createDeferred<void>();
    this.#onLastLeft = settle;
    const timer = setTimeout(settle, FAREWELL_MS);
    await promise;
    clearTimeout(timer);
  }
}
