import type { PermissionSuggestion, PermissionUpdate } from '@qwen/protocol';

/** The input of one tool call, by parameter name. */
export type ToolInput = Record<string, unknown>;

/** What a permission callback gets beside the tool and its input. */
export interface CanUseToolContext {
  /** Aborts when the question is withdrawn: its deadline passed, the turn was interrupted or the query closed. */
  readonly signal: AbortSignal;
  /** Answers that could be offered to a person; null when there are none. */
  readonly suggestions: readonly PermissionSuggestion[] | null;
  /** The id of the call, as in the `tool_use` block of the message. */
  readonly toolUseId: string;
  /** The path outside of the workspace that made the agent ask. */
  readonly blockedPath: string | null;
  /** Why the agent asks, for people. */
  readonly reason: string | undefined;
  /** The subagent that asks; undefined for the main agent. */
  readonly agent: string | undefined;
  /** The call of the task tool on whose behalf that subagent works; null for the main agent. */
  readonly parentToolUseId: string | null;
}

/** The answer to a permission question. A denial with `interrupt` also stops the turn. */
export type PermissionResult =
  | {
      behavior: 'allow';
      /** Replaces the input of the call; it is checked like an input of the model. Default: unchanged. */
      updatedInput?: ToolInput | undefined;
      /** Rules that hold from now on, such as those of a suggestion ("always allow"). */
      updatedPermissions?: readonly PermissionUpdate[] | undefined;
    }
  | {
      behavior: 'deny';
      /** The model reads it. */
      message: string;
      interrupt?: boolean | undefined;
      /** As above: rules that deny from now on. */
      updatedPermissions?: readonly PermissionUpdate[] | undefined;
    };

/**
 * Decides whether a tool may run. Called once for each call that the permission mode and the rules do not decide;
 * several may run at once, and each may use the query it belongs to. A throw, an answer of another shape and an
 * answer after `signal` aborted all count as a denial.
 */
export type CanUseTool = (
  toolName: string,
  input: ToolInput,
  context: CanUseToolContext,
) => PermissionResult | Promise<PermissionResult>;

/** The rules that come to hold when a suggestion is chosen, for `updatedPermissions`; none where it names no rules. */
export function toPermissionUpdates(suggestion: PermissionSuggestion): PermissionUpdate[] {
  const { type, rules = [], destination = 'session' } = suggestion;
  if (type === 'modify' || rules.length === 0) return [];
  return [{ type: 'addRules', rules, behavior: type, destination }];
}
