import type { ChatPath, ChatRequest, ChatResponse } from '@qwen/protocol/server';

export interface ChatCall {
  readonly signal: AbortSignal;
  /** The header `Idempotency-Key`. */
  readonly clientKey: string | undefined;
  readonly abandon: () => void;
}

/** Errors become error responses; a `Response` is sent unchanged. */
export type ChatHandler<Path extends ChatPath> = (
  request: ChatRequest<Path>,
  call: ChatCall,
) => Promise<ChatResponse<Path> | Response>;

export type ChatHandlers = { readonly [Path in ChatPath]: ChatHandler<Path> };

export type ChatHandlersOf<Path extends ChatPath> = Pick<ChatHandlers, Path>;
