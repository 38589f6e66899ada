import type { HookEvent, HookInputOf, HookOutput } from '@qwen/protocol';

/** What a hook callback gets beside its input. */
export interface HookContext {
  /** Aborts when nobody waits for the answer any more: its time is over, the turn was interrupted or the query closed. */
  readonly signal: AbortSignal;
}

/**
 * Is called at one kind of moment, main agent and subagents alike. `toolUseId` is the id of the call for hooks about
 * tools, else undefined. Nothing returned means that nothing shall change. Several may run at once, and each may use
 * the query it belongs to. A throw, an answer of another shape and silence past the timeout block where the hook is
 * `blocking`; elsewhere they are told and the agent goes on.
 */
export type HookCallback<Event extends HookEvent = HookEvent> = (
  input: HookInputOf<Event>,
  toolUseId: string | undefined,
  context: HookContext,
) => HookOutput | undefined | void | Promise<HookOutput | undefined | void>;

/** Callbacks of one moment that share a condition. */
export interface HookMatcher<Event extends HookEvent = HookEvent> {
  /**
   * A regular expression that the whole name of the tool must fit, such as `edit|write_file`, or what else the event
   * tells apart, such as the name of a subagent. Default: everything fits.
   */
  readonly matcher?: string | undefined;
  readonly hooks: readonly HookCallback<Event>[];
  /** Seconds that each callback may take; 0 and Infinity mean for ever. Default: `timeout.controlRequest` of the query. */
  readonly timeout?: number | undefined;
  /** Whether a failure blocks what was about to happen. Default: yes for `PreToolUse` and `UserPromptSubmit`. */
  readonly blocking?: boolean | undefined;
}

/** Hooks by the moment at which they run. */
export type QueryHooks = { readonly [Event in HookEvent]?: readonly HookMatcher<Event>[] | undefined };
