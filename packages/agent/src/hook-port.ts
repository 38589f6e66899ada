import type { ContentBlock, PermissionSuggestion, PermissionUpdate } from '@qwen/protocol';
import type { StructuredResult } from './tool-view.js';

export type SessionEndReason = 'prompt_input_exit' | 'other';

/** What the engine passes to hooks; the runner adds the members that all hooks get. */
export type HookMoment =
  | { readonly event: 'PreToolUse'; readonly call: HookedCall }
  | {
      readonly event: 'PostToolUse';
      readonly call: HookedCall;
      readonly response: string | readonly ContentBlock[];
      readonly structured?: StructuredResult;
      readonly isError: boolean;
    }
  | { readonly event: 'PostToolUseFailure'; readonly call: HookedCall; readonly error: string }
  | {
      readonly event: 'PermissionRequest';
      readonly call: HookedCall;
      readonly reason: string;
      readonly blockedPath: string | null;
      readonly suggestions: readonly PermissionSuggestion[];
    }
  | { readonly event: 'UserPromptSubmit'; readonly prompt: string }
  | { readonly event: 'Stop'; readonly isActive: boolean; readonly lastText: string }
  | {
      readonly event: 'SubagentStart';
      readonly agent: string;
      readonly parentToolUseId: string;
      readonly prompt: string;
    }
  | {
      readonly event: 'SubagentStop';
      readonly isActive: boolean;
      readonly lastText: string;
      readonly agent: string;
      readonly parentToolUseId: string;
    }
  | { readonly event: 'SessionStart'; readonly source: 'startup' | 'resume' | 'fork' | 'compact' | 'clear' }
  | { readonly event: 'SessionEnd'; readonly reason: SessionEndReason }
  | { readonly event: 'PreCompact'; readonly trigger: 'auto' | 'manual' }
  | { readonly event: 'Notification'; readonly kind: string; readonly message: string };

export interface HookedCall {
  readonly toolName: string;
  readonly aliases: readonly string[];
  readonly callId: string;
  readonly input: unknown;
  readonly parentToolUseId: string | null;
  readonly agent?: string;
}

export interface HookVerdict {
  /**
   * PreToolUse: a deny is final; an allow skips the question but never a deny rule; an ask always asks.
   * PermissionRequest: the answer; an ask leaves it to the user.
   */
  readonly permission?: { readonly behavior: 'allow' | 'deny' | 'ask'; readonly reason: string };
  /** PermissionRequest, with an allow. */
  readonly updatedPermissions?: readonly PermissionUpdate[];
  /** PermissionRequest, with a deny: ends the turn. */
  readonly interrupts?: boolean;
  /** PreToolUse, and PermissionRequest with an allow: replaces the input and is checked like it. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly additionalContext?: string;
  readonly updatedOutput?: string | readonly ContentBlock[];
  /** PostToolUse: a guard could not judge the result, so the model must not read it. */
  readonly withhold?: { readonly reason: string };
  /**
   * Rejects the prompt (UserPromptSubmit), continues the agent (Stop, SubagentStop), or reports an objection
   * (PostToolUse, PostToolUseFailure).
   */
  readonly block?: { readonly reason: string };
  readonly stop?: { readonly reason: string };
}

export const NO_VERDICT: HookVerdict = {};

/**
 * Runs the hooks of the app and the settings. Never rejects: a fault or timeout of a blocking hook is a deny or a
 * block, any other is reported to people. Calls may overlap. When `signal` aborts, it resolves at once: at
 * PostToolUse with `withhold`, otherwise with a verdict that is ignored.
 */
export interface HookPort {
  has(event: HookMoment['event']): boolean;
  run(moment: HookMoment, options: { readonly signal: AbortSignal }): Promise<HookVerdict>;
}

export const NO_HOOKS: HookPort = { has: () => false, run: () => Promise.resolve(NO_VERDICT) };
