import type { ChatAnswer, ChatPath, ChatRequest } from '@qwen/protocol/server';

/** What a handler knows of its request beside the body. */
export interface ChatCall {
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** The header `Idempotency-Key`: the same again is the same turn (F129). */
  readonly clientKey: string | undefined;
  /** Drops the connection. */
  readonly abandon: () => void;
}

/** Serves one route. What it throws becomes the answer; a `Response` goes out as it is. */
export type ChatHandler<Path extends ChatPath> = (
  request: ChatRequest<Path>,
  call: ChatCall,
) => Promise<ChatAnswer<Path> | Response>;

/** One handler a route: a missing one does not compile. */
export type ChatHandlers = { readonly [Path in ChatPath]: ChatHandler<Path> };

/** Those of some routes. */
export type ChatHandlersOf<Path extends ChatPath> = Pick<ChatHandlers, Path>;
