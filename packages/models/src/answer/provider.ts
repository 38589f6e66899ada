import { AgentError, type Usage } from '@qwen/protocol';
import type { HttpRequest } from '../http/send-request.js';
import type { ModelPart, ModelRequest } from '../parts.js';

/** What differs between the families; everything else about an answer is done once, in this folder. */
export interface Provider {
  /** What to send. Signs in where that is needed; rejects with whatever the client library throws. */
  prepare(request: ModelRequest): Promise<HttpRequest>;
  /** A reader for one answer. */
  createReader(): AnswerReader;
}

/** How far an answer is: `answering`; `closing` once it said why it ends and only counts may follow; `closed` by an end marker. */
export type AnswerProgress = 'answering' | 'closing' | 'closed';

/** Turns the payloads of one answer into parts. */
export interface AnswerReader {
  /** What the answer says about itself; filled by the first payload that says so. */
  readonly head: { readonly responseId?: string; readonly model?: string };
  readonly progress: AnswerProgress;
  /** The last counts seen; undefined when the provider sent none. */
  readonly usage: Usage | undefined;
  /**
   * The content in one payload, often none. Throws an AgentError: `bad_model_response` for what is not a chunk, or the
   * error that the provider put into the stream.
   */
  read(payload: string): readonly ModelPart[];
  /**
   * What is left to say when nothing more comes: the ends of tool calls, then `finish`. Called once. Throws
   * `stream_interrupted` when the answer never said why it ends (F74).
   */
  end(): readonly ModelPart[];
}

/** The error of an answer that stopped before its end. */
export function interruptedError(how: string): AgentError {
  return new AgentError('stream_interrupted', `The answer broke off: ${how}`);
}
