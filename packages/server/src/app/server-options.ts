import type { PermissionMode, SandboxOption } from '@qwen/protocol';
import type { AgentLaunch } from '../agent/agent-process.js';
import type { FindFileRules } from '../core/file-rules.js';
import type { ServerRole } from '../core/open-turns.js';
import type { SessionRetention } from '../core/session-retention.js';
import type { EventLogOptions } from '../log/event-log.js';
import type { ServerLogger } from '../logging/server-logger.js';

export interface ServerOptions {
  /**
   * Location of sessions and events: an absolute folder or `memory:`, for one server at a time, or `redis://…`,
   * `rediss://…` for a cluster.
   */
  readonly store: string;
  /** What this server does in a cluster. Default `all`. */
  readonly role?: ServerRole | undefined;
  /**
   * How long a cluster waits for a worker that stopped renewing its lease of a session, in milliseconds. Default
   * 15,000.
   */
  readonly leaseMs?: number | undefined;
  /** Bearer token; see `readOrMintToken`. */
  readonly token: string;
  /**
   * File of further tokens, with names, scopes and limits; absolute. See `qwen serve token`. It may be missing, and is read
   * again when it changes. Default: none.
   */
  readonly tokensFile?: string | undefined;
  /**
   * File to which each answer to a permission question is appended before it takes effect; absolute. It contains the
   * inputs of tools. Default: none.
   */
  readonly auditFile?: string | undefined;
  /** Require the token on every route but `/health` and `/ready`. Default false. */
  readonly requireAuth?: boolean | undefined;
  /**
   * Workspace of sessions that name none; absolute. Default: the current folder, unless it may not be a workspace: then
   * sessions have to name one.
   */
  readonly workspace?: string | undefined;
  /** Workspaces and additional folders must be one of these folders or below. Default: no limit. */
  readonly workspaceRoots?: readonly string[] | undefined;
  /** For sessions that name none. Default `default`. */
  readonly approvalMode?: PermissionMode | undefined;
  /**
   * The sandbox of sessions that select none, and the loosest that a session may select. Default: what the settings of
   * each workspace select.
   */
  readonly sandbox?: SandboxOption | undefined;
  /** Whether sessions may select a looser sandbox than that. Default false. */
  readonly allowLooserSandbox?: boolean | undefined;
  /** How agents are started. Default: the CLI installed with the SDK. */
  readonly launch?: AgentLaunch | undefined;
  /** Agents at one time; further turns wait. Default 32. */
  readonly maxAgents?: number | undefined;
  /** Queued messages per session. Default 32. */
  readonly maxQueuedTurns?: number | undefined;
  /** Until an idle agent is stopped, in milliseconds. Default 60,000. */
  readonly idleMs?: number | undefined;
  /** Until an unanswered approval request is denied, in milliseconds. Default 60,000. */
  readonly approvalTimeoutMs?: number | undefined;
  /** How long an agent gets to stop a turn before it is killed, in milliseconds. Default 5,000. */
  readonly cancelGraceMs?: number | undefined;
  /** Additional allowed `Host` values. A mounted server accepts only these. */
  readonly hosts?: readonly string[] | undefined;
  /** Other allowed origins, such as `https://app.example`. Default none. */
  readonly origins?: readonly string[] | undefined;
  /** Largest request body, in bytes. Default 10 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Retention and limits of the event log. Default: keep everything. */
  readonly log?: EventLogOptions | undefined;
  /** Sessions beyond it are deleted, except those with an open turn. Default: keep all. */
  readonly sessionRetention?: SessionRetention | undefined;
  /**
   * Permission rules for the routes that access files directly. Agents apply their own. Default: none; `qwen serve`
   * reads the settings.
   */
  readonly fileRules?: FindFileRules | undefined;
  /** Receives warnings for the operator, without secrets. Must not throw. */
  readonly onNotice?: ((notice: string) => void) | undefined;
  /**
   * Receives requests, turns, approvals and warnings, without prompts and secrets: the result of `createLogger()`, or
   * a logger of `pino`. Default: none.
   */
  readonly logger?: ServerLogger | undefined;
  /** Serve `/metrics` in the format of Prometheus. Default false. */
  readonly metrics?: boolean | undefined;
}
