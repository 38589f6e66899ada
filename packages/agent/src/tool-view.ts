import type { ContentBlock, PermissionDenial } from '@qwen/protocol';

/** The result of one tool call, as it stands in the conversation. */
export interface ToolOutcome {
  readonly callId: string;
  readonly name: string;
  /** The id under which the result stands in the session file. */
  readonly uuid: string;
  /** What the model reads: text, or text and images. */
  readonly content: string | readonly ContentBlock[];
  /** True for every status but `success`. */
  readonly isError: boolean;
  /** How the call came out, for screens (D-21). */
  readonly status: ToolStatus;
  /** What a screen may show instead. */
  readonly display?: ToolDisplay;
  /** Set when the call did not run because of a permission decision. */
  readonly denial?: PermissionDenial;
}

/**
 * `canceled`: whoever was asked said no, or an interrupt kept the call from running or stopped it. A call that a rule, a
 * mode or a hook forbids is an `error`, as is one that failed.
 */
export type ToolStatus = 'success' | 'error' | 'canceled';

/** How a screen may show a result. */
export type ToolDisplay =
  | { readonly kind: 'text'; readonly text: string }
  | FileChange
  | { readonly kind: 'todos'; readonly todos: readonly TodoItem[] }
  /** A plan that was presented, and what came of it. `plan` is Markdown. */
  | { readonly kind: 'plan'; readonly message: string; readonly plan: string }
  | SubagentRun;

/** A file that was changed (D-24). */
export interface FileChange {
  readonly kind: 'diff';
  /** Absolute. */
  readonly path: string;
  /** A unified diff. */
  readonly diff: string;
  /** The whole text before and after; both missing where together they are longer than 256 KiB. */
  readonly original?: string;
  readonly modified?: string;
  readonly stat: ChangeStat;
}

/** Lines of a change: those that the model wanted, and those that a person changed on top before saying yes (D-25). */
export interface ChangeStat {
  readonly aiAdded: number;
  readonly aiRemoved: number;
  readonly userAdded: number;
  readonly userRemoved: number;
}

/** One entry of the plan that the model keeps (D-26). */
export interface TodoItem {
  readonly id: string;
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

/** What a subagent did for one call (D-28). */
export interface SubagentRun {
  readonly kind: 'task';
  /** Name of the subagent. */
  readonly agent: string;
  /** In a few words, for people. */
  readonly description?: string;
  readonly prompt: string;
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  /** Its own calls, in their order; those that are not done yet have no status. */
  readonly toolCalls: readonly SubagentCall[];
  /** Its report; missing without one. */
  readonly result?: string;
  /** Why it ended, where it did not end by itself. */
  readonly reason?: string;
}

export interface SubagentCall {
  readonly callId: string;
  readonly name: string;
  readonly status?: ToolStatus;
}

/** What a person must see of a call before saying yes (D-29). */
export type ToolPreview =
  /**
   * A file would be changed: from `original`, empty for a new file, to `modified`; both missing where together they are
   * longer than 256 KiB.
   */
  | {
      readonly type: 'edit';
      /** Absolute. */
      readonly path: string;
      /** A unified diff. */
      readonly diff: string;
      readonly original?: string;
      readonly modified?: string;
    }
  /** `rootCommand`: the programs that it would run, each once, with `, ` between them. */
  | { readonly type: 'exec'; readonly command: string; readonly rootCommand: string }
  /** Names as the server gives them; `displayName` is for people. */
  | { readonly type: 'mcp'; readonly server: string; readonly tool: string; readonly displayName: string }
  | { readonly type: 'info'; readonly prompt: string; readonly urls: readonly string[] }
  /** Markdown. */
  | { readonly type: 'plan'; readonly plan: string };
