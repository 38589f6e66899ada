import type { ModelConfig } from '@qwen/models';

/** `cached` is part of `input`. */
export interface Counts {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** The family under test: its configuration and wire payloads. */
export interface FamilyUnderTest {
  readonly name: string;
  /** `url` is `http://host:port`. */
  configFor(url: string): ModelConfig;
  text(text: string): string;
  thinking(text: string): string;
  /** A complete tool call; `position` is its index in the response. */
  call(call: { readonly id: string; readonly name: string; readonly json: string }, position: number): string;
  /** The last payloads; `reason` is the provider's. */
  finish(reason: string, counts?: Counts): readonly string[];
  /** A keep-alive payload. */
  readonly emptyPayload: string;
  /** The provider's finish reasons. */
  readonly reasons: { readonly stop: string; readonly length: string; readonly filtered: string };
  errorBody(message: string): string;
  /** An error inside a stream with status 200. */
  errorPayload(message: string, status: number): string;
  /** The provider's message for a context overflow. */
  readonly overflowMessage: string;
}

export function eventsOf(payloads: readonly string[]): string {
  return payloads.map((payload) => `data: ${payload}\n\n`).join('');
}
