import type { HookEvent, HookInputOf, HookOutput } from '@qwen/protocol';

export interface HookContext {
  /** Aborts when the answer is no longer needed: after its timeout, an interrupt, or the end of the query. */
  readonly signal: AbortSignal;
}

/**
 * Called for an event of the main agent or a subagent. `toolUseId` is undefined for events that are not about a tool
 * call. Return nothing to change nothing. Calls may overlap, and a callback may use its own query. A throw, a
 * malformed answer and a timeout block the action if the hook is `blocking`; otherwise they are only reported.
 */
export type HookCallback<Event extends HookEvent = HookEvent> = (
  input: HookInputOf<Event>,
  toolUseId: string | undefined,
  context: HookContext,
) => HookOutput | undefined | void | Promise<HookOutput | undefined | void>;

/** Callbacks for one event that share a condition. */
export interface HookMatcher<Event extends HookEvent = HookEvent> {
  /**
   * Tool names, such as `edit|write_file`, or a regular expression that matches anywhere in the name; for other events,
   * what they distinguish, such as the subagent name. Default: matches everything.
   */
  readonly matcher?: string | undefined;
  readonly hooks: readonly HookCallback<Event>[];
  /** Seconds per callback; 0 and Infinity disable it. Default: `timeout.controlRequest` of the query. */
  readonly timeout?: number | undefined;
  /** Whether a failure blocks the action. Default: true for `PreToolUse` and `UserPromptSubmit`. */
  readonly blocking?: boolean | undefined;
  /** Name of `blocking` in the Claude Agent SDK: `block` or `continue`. */
  readonly onFailure?: 'continue' | 'block' | undefined;
}

/** Hooks by event. */
export type QueryHooks = { readonly [Event in HookEvent]?: readonly HookMatcher<Event>[] | undefined };
