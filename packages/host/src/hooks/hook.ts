import type { ControlScope, HookInput, HookOutput, ToolVocabulary } from '@qwen/protocol';
import type { NameMatcher } from '../name-matcher.js';

export interface HookAsking {
  readonly signal: AbortSignal;
  /** The session and prompt it concerns, for hooks called over the control channel. */
  readonly place?: ControlScope;
}

export interface Hook {
  /** As registered; may be an event that never happens. */
  readonly event: string;
  readonly match: NameMatcher;
  /** Whose tool names it expects when its matcher names none. Default: `qwen`. */
  readonly toolNames?: ToolVocabulary;
  readonly blocking: boolean | undefined;
  /** For people. */
  readonly label: string;
  /**
   * Calls the hook; it keeps its own timeout. Rejects when it threw, timed out, disappeared or returned no valid
   * output. Aborting `signal` withdraws it.
   */
  readonly ask: (input: HookInput, options: HookAsking) => Promise<HookOutput>;
}

export interface HookNotice {
  readonly code: 'hook_error' | 'hook_message';
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}
