import type { PermissionMode } from '@qwen/protocol';
import type { AgentLaunch } from '../agent/agent-process.js';
import type { FindFileRules } from '../core/file-rules.js';
import type { ServerRole } from '../core/open-turns.js';
import type { EventLogOptions } from '../log/event-log.js';

/** What a server may be told. */
export interface ServerOptions {
  /**
   * Where sessions and events are kept: an absolute folder, which is made, or `memory:`, each for one server at a time; or
   * `redis://…`, `rediss://…` for as many as one likes.
   */
  readonly store: string;
  /** What this server does beside others at one Redis. Default `all`: it answers clients and plays turns. */
  readonly role?: ServerRole | undefined;
  /**
   * How long a session waits for a worker at one Redis that says no more that it lives, in milliseconds; then another one
   * goes on with it. Default 15,000.
   */
  readonly leaseMs?: number | undefined;
  /** Bearer token of everything that wants one; see `readOrMintToken`. */
  readonly token: string;
  /** Ask for the token on every route, also on loopback; `/health` and `/ready` stay open. Default false. */
  readonly requireAuth?: boolean | undefined;
  /** Where sessions work that name no folder; absolute. Default: the folder of this process. */
  readonly workspace?: string | undefined;
  /** For sessions that name none. Default `default`: what is not safe is asked about, and denied without an answer. */
  readonly approvalMode?: PermissionMode | undefined;
  /** How agents are started. Default: the CLI that is installed with the SDK. */
  readonly launch?: AgentLaunch | undefined;
  /** Agents at one time; further turns wait. Default 32. */
  readonly maxAgents?: number | undefined;
  /** Messages that may wait behind the running turn of a session. Default 32. */
  readonly maxQueuedTurns?: number | undefined;
  /** An agent without a turn sleeps after so long, in milliseconds. Default 60,000. */
  readonly idleMs?: number | undefined;
  /** How long a permission question waits for an answer, in milliseconds. Default 60,000. */
  readonly approvalTimeoutMs?: number | undefined;
  /** How long an agent gets to stop a turn, in milliseconds; then its process is ended. Default 5,000. */
  readonly cancelGraceMs?: number | undefined;
  /**
   * Host and port under which clients reach this server, beside those of the address that it listens at. A server that
   * is mounted elsewhere answers only these.
   */
  readonly hosts?: readonly string[] | undefined;
  /** Pages of other origins that may call it, such as `https://app.example`. Default none. */
  readonly origins?: readonly string[] | undefined;
  /** Largest body of a request, in bytes. Default 10 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** How much of the past is kept. Default: everything, for as long as its session. */
  readonly log?: EventLogOptions | undefined;
  /**
   * What permission rules say about the files of a folder, for the routes that read and write files themselves; the
   * agent keeps its rules by itself. Default: nothing; `qwen serve` reads the settings.
   */
  readonly fileRules?: FindFileRules | undefined;
  /** Hears what an operator should know, without secrets. Must not throw. Default: nobody. */
  readonly onRemark?: ((remark: string) => void) | undefined;
}
