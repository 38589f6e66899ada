import type { ModelConfig } from '@qwen/models';

/** Counts as a test gives them. `cached` is a part of `input`. */
export interface Counts {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** What the contract needs to know about a family: how to reach a server, and the payloads of its wire. */
export interface FamilyUnderTest {
  readonly name: string;
  /** The configuration that reaches a server at `url`, `http://host:port`. */
  configFor(url: string): ModelConfig;
  /** One payload that carries text. */
  text(text: string): string;
  thinking(text: string): string;
  /** One whole tool call in one payload; `position` is its place among the calls of the answer. */
  call(call: { readonly id: string; readonly name: string; readonly json: string }, position: number): string;
  /** The last payloads. `reason` is in the words of the provider. */
  finish(reason: string, counts?: Counts): readonly string[];
  /** A payload without content, as providers send it to keep a connection alive. */
  readonly emptyPayload: string;
  /** The words of the provider for the ends that both know. */
  readonly reasons: { readonly stop: string; readonly length: string; readonly filtered: string };
  /** The body of an error answer. */
  errorBody(message: string): string;
  /** The error that comes with a status of 200, in the middle of a stream. */
  errorPayload(message: string, status: number): string;
  /** What the provider says when the conversation is too long. */
  readonly overflowMessage: string;
}

/** Payloads as the events of a stream. */
export function eventsOf(payloads: readonly string[]): string {
  return payloads.map((payload) => `data: ${payload}\n\n`).join('');
}
