import type { HttpBindings } from '@hono/node-server';
import type { WireError } from '@qwen/protocol';
import type { Hono } from 'hono';
import type { AgentLaunch } from '../agent/agent-process.js';
import type { FindFileRules } from '../core/file-rules.js';
import type { ServerCore } from '../core/server-core.js';
import type { SessionService } from '../core/session-service.js';
import type { WorkspaceFolders } from '../core/workspace-folders.js';
import type { ShareLinks } from '../guard/share-links.js';
import type { StreamTickets } from '../guard/stream-tickets.js';
import type { BackupManifest } from '../maintenance/backup.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import type { Route } from './route-table.js';

/** `incoming` and `outgoing` are undefined outside the Node.js server. */
export type SurfaceApp = Hono<{ Bindings: Partial<HttpBindings> }>;

export interface SurfaceContext extends ServerCore {
  /** For the caller of the request. */
  readonly sessions: SessionService;
  /** For probes, which have no caller. */
  readonly allSessions: Pick<SessionService, 'probe' | 'count'>;
  readonly tickets: StreamTickets;
  readonly links: ShareLinks;
  /** Writes a backup to an absolute folder. */
  readonly backup: (folder: string) => Promise<BackupManifest>;
  /** See `ServerOptions`. */
  readonly launch: AgentLaunch | undefined;
  readonly fileRules: FindFileRules | undefined;
  /** Absolute. */
  readonly workspace: string;
  readonly folders: WorkspaceFolders;
  /** See `ErrorResponseOptions`. */
  readonly onFault: (errorId: string, thrown: unknown) => void;
  /** Undefined unless enabled. */
  readonly metrics: ServerMetrics | undefined;
}

export interface ErrorFormat {
  readonly prefix: string;
  readonly toBody: (error: WireError, path: string) => unknown;
}

/** Other paths fall through to the next surface. */
export interface Surface {
  readonly app: SurfaceApp;
  /** A path that is missing here is only for tokens of administrators. */
  readonly routes: readonly Route[];
  /** Always require the token. */
  readonly tokenPrefixes?: readonly string[] | undefined;
  /** Bodies that the surface checks itself. */
  readonly ownBodyPrefixes?: readonly string[] | undefined;
  /** The format for errors of guards and unknown routes, too. The longest prefix wins. */
  readonly failures?: ErrorFormat | undefined;
  readonly close?: (() => Promise<void>) | undefined;
}

export type CreateSurface = (context: SurfaceContext) => Surface;
