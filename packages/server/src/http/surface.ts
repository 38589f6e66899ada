import type { HttpBindings } from '@hono/node-server';
import type { WireError } from '@qwen/protocol';
import type { Hono } from 'hono';
import type { AgentLaunch } from '../agent/agent-process.js';
import type { FindFileRules } from '../core/file-rules.js';
import type { ServerCore } from '../core/server-core.js';

/** `incoming` and `outgoing` are undefined outside the Node.js server. */
export type SurfaceApp = Hono<{ Bindings: Partial<HttpBindings> }>;

export interface SurfaceContext extends ServerCore {
  /** See `ServerOptions`. */
  readonly launch: AgentLaunch | undefined;
  readonly fileRules: FindFileRules | undefined;
  readonly workspace: string | undefined;
  /** See `ErrorResponseOptions`. */
  readonly onFault: (errorId: string, thrown: unknown) => void;
}

/** The error format of all paths with a prefix. */
export interface ErrorFormat {
  readonly prefix: string;
  readonly toBody: (error: WireError, path: string) => unknown;
}

/** A group of routes, mounted after the guards. Other paths fall through to the next surface. */
export interface Surface {
  readonly app: SurfaceApp;
  /** Prefixes that always require the token. Default: only with `requireAuth`. */
  readonly tokenPrefixes?: readonly string[] | undefined;
  /** Exact paths that never require the token. */
  readonly openPaths?: readonly string[] | undefined;
  /** Prefixes whose bodies the surface checks itself, because they may be larger. */
  readonly ownBodyPrefixes?: readonly string[] | undefined;
  /** The error format of its paths, also for errors of guards and unknown routes. The longest prefix wins. */
  readonly failures?: ErrorFormat | undefined;
  readonly close?: (() => Promise<void>) | undefined;
}

export type CreateSurface = (context: SurfaceContext) => Surface;
