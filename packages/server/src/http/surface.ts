import type { HttpBindings } from '@hono/node-server';
import type { WireError } from '@qwen/protocol';
import type { Hono } from 'hono';
import type { AgentLaunch } from '../agent/agent-process.js';
import type { FindFileRules } from '../core/file-rules.js';
import type { ServerCore } from '../core/server-core.js';

/** Hono as all surfaces use it; `incoming` and `outgoing` are missing where Node.js does not serve. */
export type SurfaceApp = Hono<{ Bindings: Partial<HttpBindings> }>;

/** What a surface is made of. */
export interface SurfaceContext extends ServerCore {
  /** See `ServerOptions` for these three. */
  readonly launch: AgentLaunch | undefined;
  readonly fileRules: FindFileRules | undefined;
  readonly workspace: string | undefined;
  /** Hears of faults that clients are not told in full, with the id that they are told. */
  readonly onFault: (errorId: string, thrown: unknown) => void;
}

/** The body of failures at the paths that begin like this. */
export interface FailureForm {
  readonly prefix: string;
  readonly toBody: (error: WireError, path: string) => unknown;
}

/** A group of routes behind the guards. Paths that are none of its own fall through to the next one. */
export interface Surface {
  readonly app: SurfaceApp;
  /** Paths that want the token in any case, as prefixes. Default: none but with `requireAuth`. */
  readonly tokenPrefixes?: readonly string[] | undefined;
  /** Paths that never want it: they hold nothing that is anybody's. Exact. */
  readonly openPaths?: readonly string[] | undefined;
  /** Prefixes whose bodies the surface guards by itself, because they may be larger than those of others. */
  readonly ownBodyPrefixes?: readonly string[] | undefined;
  /**
   * What failures look like at its paths, also those of guards and of routes that are not there. Of several prefixes the
   * longest counts.
   */
  readonly failures?: FailureForm | undefined;
  /** Ends what it runs beside the sessions. */
  readonly close?: (() => Promise<void>) | undefined;
}

export type CreateSurface = (context: SurfaceContext) => Surface;
