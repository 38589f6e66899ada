import type { ContentBlock, PermissionDenial } from '@qwen/protocol';

export interface ToolOutcome {
  readonly callId: string;
  readonly name: string;
  readonly uuid: string;
  readonly content: string | readonly ContentBlock[];
  readonly isError: boolean;
  readonly status: ToolStatus;
  readonly display?: ToolDisplay;
  readonly structured?: StructuredResult;
  readonly denial?: PermissionDenial;
}

export type StructuredResult = Readonly<Record<string, unknown>>;

/** `canceled`: declined or interrupted. A call that a rule, a mode or a hook forbids is an `error`. */
export type ToolStatus = 'success' | 'error' | 'canceled';

export type ToolDisplay =
  | { readonly kind: 'text'; readonly text: string }
  | FileChange
  | { readonly kind: 'todos'; readonly todos: readonly TodoItem[] }
  | { readonly kind: 'plan'; readonly message: string; readonly plan: string }
  | SubagentRun;

export interface FileChange {
  readonly kind: 'diff';
  readonly path: string;
  readonly diff: string;
  /** The whole texts; both missing above 256 KiB in total. */
  readonly original?: string;
  readonly modified?: string;
  readonly stat: ChangeStat;
}

/** Lines changed by the model, and on top of that by the person who approved it. */
export interface ChangeStat {
  readonly aiAdded: number;
  readonly aiRemoved: number;
  readonly userAdded: number;
  readonly userRemoved: number;
}

export interface TodoItem {
  readonly id: string;
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

export interface SubagentRun {
  readonly kind: 'task';
  readonly agent: string;
  readonly description?: string;
  readonly prompt: string;
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  readonly toolCalls: readonly SubagentCall[];
  readonly result?: string;
  readonly reason?: string;
}

export interface SubagentCall {
  readonly callId: string;
  readonly name: string;
  readonly status?: ToolStatus;
}

export type ToolPreview =
  /** `original` is empty for a new file; both texts are missing above 256 KiB in total. */
  | {
      readonly type: 'edit';
      readonly path: string;
      readonly diff: string;
      readonly original?: string;
      readonly modified?: string;
    }
  | { readonly type: 'exec'; readonly command: string; readonly rootCommand: string }
  | { readonly type: 'mcp'; readonly server: string; readonly tool: string; readonly displayName: string }
  | { readonly type: 'info'; readonly prompt: string; readonly urls: readonly string[] }
  | { readonly type: 'plan'; readonly plan: string };
