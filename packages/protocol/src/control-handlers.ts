import type { ControlPayload, ControlResult, ControlSubtype, Side, SubtypeAskedBy } from './control-requests.js';

/** What a handler gets beside its payload. */
export interface ControlHandlerContext {
  readonly requestId: string;
  /** The session that the envelope names; missing: the current one. */
  readonly sessionId?: string;
  /** Aborts when the asker withdraws the request, its deadline passes or the channel closes. */
  readonly signal: AbortSignal;
}

/**
 * Answers one kind of request. It may throw (the asker gets a typed error), may take as long as it likes, and runs
 * beside all other handlers: nothing waits for it. After `signal` aborts its answer is dropped.
 */
export type ControlHandler<S extends ControlSubtype> = (
  payload: ControlPayload<S>,
  context: ControlHandlerContext,
) => ControlResult<S> | Promise<ControlResult<S>>;

/** One handler for each request that the other side (`Asker`) may send: a missing one does not compile. */
export type ControlHandlers<Asker extends Side> = { readonly [S in SubtypeAskedBy<Asker>]: ControlHandler<S> };
