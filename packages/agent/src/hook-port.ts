import type { ContentBlock } from '@qwen/protocol';

/** Why a session ends: its input ended and everything was answered, or something else ended it, such as a signal. */
export type SessionEndReason = 'prompt_input_exit' | 'other';

/** A moment at which hooks may have a say, as the engine sees it. What all hooks are told is added outside. */
export type HookMoment =
  | { readonly event: 'PreToolUse'; readonly call: HookedCall }
  | {
      readonly event: 'PostToolUse';
      readonly call: HookedCall;
      /** What the model will read. */
      readonly response: string | readonly ContentBlock[];
      readonly isError: boolean;
    }
  | { readonly event: 'UserPromptSubmit'; readonly prompt: string }
  | { readonly event: 'Stop'; readonly isActive: boolean }
  | {
      readonly event: 'SubagentStop';
      readonly isActive: boolean;
      readonly agent: string;
      readonly parentToolUseId: string;
    }
  | { readonly event: 'SessionStart'; readonly source: 'startup' | 'resume' | 'fork' | 'compact' | 'clear' }
  | { readonly event: 'SessionEnd'; readonly reason: SessionEndReason }
  | { readonly event: 'PreCompact'; readonly trigger: 'auto' | 'manual' }
  | { readonly event: 'Notification'; readonly kind: string; readonly message: string };

/** A tool call that a hook is asked about. */
export interface HookedCall {
  readonly toolName: string;
  readonly aliases: readonly string[];
  readonly callId: string;
  readonly input: unknown;
  /** The call of the task tool, when a subagent calls; null for the main agent. */
  readonly parentToolUseId: string | null;
  /** The name of that subagent. */
  readonly agent?: string;
}

/** What all hooks of one moment say together. Empty: nothing changes. */
export interface HookVerdict {
  /** PreToolUse. A deny is final; an allow spares the question but never outvotes a deny rule; an ask always asks. */
  readonly permission?: { readonly behavior: 'allow' | 'deny' | 'ask'; readonly reason: string };
  /** PreToolUse: the input to go on with; it is checked like one of the model. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  /** Text for the model, beside the prompt or the result. */
  readonly additionalContext?: string;
  /** The prompt is not taken (UserPromptSubmit), the agent goes on with this reason (Stop, SubagentStop), or the model
   * is told that the result was objected to (PostToolUse). */
  readonly block?: { readonly reason: string };
  /** The turn ends here. */
  readonly stop?: { readonly reason: string };
}

/** No hook, or nothing to say. */
export const NO_VERDICT: HookVerdict = {};

/**
 * Whoever runs hooks: callbacks of the app and commands of the settings. Contract: never rejects (a fault or a
 * timeout of a blocking hook is a deny or a block with the reason; of any other it is told to people and changes
 * nothing); several moments may be open at once; when `signal` aborts, the hooks are withdrawn and the verdict no
 * longer matters.
 */
export interface HookPort {
  /** Whether any hook waits for this kind of moment; false lets the engine skip it. */
  has(event: HookMoment['event']): boolean;
  run(moment: HookMoment, options: { readonly signal: AbortSignal }): Promise<HookVerdict>;
}

/** Where nobody waits for anything. */
export const NO_HOOKS: HookPort = { has: () => false, run: () => Promise.resolve(NO_VERDICT) };
