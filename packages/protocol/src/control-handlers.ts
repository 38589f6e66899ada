import type { ControlPayload, ControlResult, ControlSubtype, Side, SubtypeAskedBy } from './control-requests.js';

export interface ControlHandlerContext {
  readonly requestId: string;
  /** The session named by the envelope. Default: the current one. */
  readonly sessionId?: string;
  /** Aborts when the request is withdrawn, times out or the channel closes. */
  readonly signal: AbortSignal;
}

/**
 * Answers one kind of request. It may throw (the requester gets a typed error) and runs concurrently with other
 * handlers. Its answer is dropped after `signal` aborts.
 */
export type ControlHandler<S extends ControlSubtype> = (
  payload: ControlPayload<S>,
  context: ControlHandlerContext,
) => ControlResult<S> | Promise<ControlResult<S>>;

/** One handler per request of the other side; a missing one does not compile. */
export type ControlHandlers<Asker extends Side> = { readonly [S in SubtypeAskedBy<Asker>]: ControlHandler<S> };
