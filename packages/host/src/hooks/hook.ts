import type { ControlPlace, HookInput, HookOutput } from '@qwen/protocol';
import type { NameMatcher } from '../name-matcher.js';

export interface HookAsking {
  readonly signal: AbortSignal;
  /** The session and the prompt that it is about, for hooks that are asked over the control channel. */
  readonly place?: ControlPlace;
}

/** One hook that somebody registered: a callback of the app or of this program, or a command of the settings. */
export interface Hook {
  /** As it was registered; perhaps one that never happens. */
  readonly event: string;
  readonly fits: NameMatcher;
  /** Whether a fault of it blocks; undefined: as the event has it. */
  readonly blocking: boolean | undefined;
  /** What it is, for people who look for it. */
  readonly label: string;
  /**
   * Asks it. Whoever made the hook keeps its clock. Rejects when it gave no answer that can be read: it threw, was too
   * late, is gone, or said something else than an output. When `signal` aborts it is withdrawn and rejects soon.
   */
  readonly ask: (input: HookInput, options: HookAsking) => Promise<HookOutput>;
}

/** Something about hooks for people. */
export interface HookNotice {
  /** `hook_error`: a hook failed. `hook_message`: a hook has something to say. */
  readonly code: 'hook_error' | 'hook_message';
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}
