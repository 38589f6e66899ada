import { AgentError, type Usage } from '@qwen/protocol';
import type { HttpRequest } from '../http/send-request.js';
import type { ModelPart, ModelRequest } from '../parts.js';

export interface Provider {
  /** Signs in if needed. Rejects with the errors of the client library. */
  prepare(request: ModelRequest): Promise<HttpRequest>;
  /** One per response. `leavesOutReason`: the endpoint ended an earlier stream without a finish reason. */
  createReader(options: ReaderOptions): ResponseReader;
}

export interface ReaderOptions {
  readonly leavesOutReason: boolean;
  /** The same request just ended without reason and marker, but with a whole answer. */
  readonly leavesOutMarker?: boolean;
}

/** `closing`: the finish reason arrived and only usage may follow. `closed`: an end marker arrived. */
export type ResponseProgress = 'streaming' | 'closing' | 'closed';

/** Converts payloads to parts. */
export interface ResponseReader {
  readonly head: { readonly responseId?: string; readonly model?: string };
  readonly progress: ResponseProgress;
  readonly usage: Usage | undefined;
  /** Throws `bad_model_response` for an invalid chunk, or the error in the stream. */
  read(payload: string): readonly ModelPart[];
  /** Called once: the ends of tool calls, then `finish`. Throws `stream_interrupted` without a finish reason. */
  end(): readonly ModelPart[];
}

/** `hasMarker`: the stream has an end, but no reason for it. `isWhole`: neither, but nothing is visibly cut off. */
export function interruptedError(detail: string, hasMarker = false, isWhole = false): AgentError {
  const message = `The response ended early (${detail}).`;
  const data = { ...(hasMarker && { hasMarker }), ...(isWhole && { isWhole }) };
  return new AgentError('stream_interrupted', message, { data });
}
