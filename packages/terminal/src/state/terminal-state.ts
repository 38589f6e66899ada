import type { PermissionAnswer, PermissionRequest, TodoItem, ToolStatus } from '@qwen/agent';
import type { Confirmation, ConfirmationAnswer } from '@qwen/host/service-apis.js';
import type { PermissionMode } from '@qwen/protocol';
import type { CommandDialog } from '@qwen/protocol/openai';
import type { Elicitation, ElicitationAnswer } from '@qwen/tools';
import type { Theme } from '../theme/theme.js';

/** The state of the live part. Immutable. */
export interface TerminalState {
  /** Undefined when idle. */
  readonly turn?: RunningTurn;
  readonly model: string;
  readonly permissionMode: PermissionMode;
  readonly calls: readonly LiveCall[];
  /** Unfinished Markdown at the end of the streamed message. */
  readonly draft: string;
  readonly todos: readonly TodoItem[];
  readonly queued: readonly QueuedPrompt[];
  /** The current question; others wait. */
  readonly question?: OpenQuestion;
  readonly dialog?: OpenDialog;
  /** A temporary line. */
  readonly hint?: string;
  readonly themeName?: string;
  readonly theme?: Theme;
  /** Prompts are edited with the keys of vi. */
  readonly isVim?: boolean;
  /** Cost of the turns so far, in US dollars; missing if a price is unknown. */
  readonly costUsd?: number;
  readonly hasUnknownCost?: true;
  readonly context?: { readonly usedTokens: number; readonly windowTokens?: number };
}

export interface RunningTurn {
  readonly startedAt: number;
  readonly phase: 'thinking' | 'answering' | 'tools' | 'waiting' | 'retrying';
  /** Estimated while streaming. */
  readonly outputTokens: number;
  /** Wait before a retry; `until` in epoch milliseconds. */
  readonly retry?: { readonly reason: string; readonly until: number; readonly attempt: number };
  readonly isCancelling: boolean;
}

export interface LiveCall {
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  /** A finished subagent call stays, with its result, until the next one. */
  readonly phase: 'pending' | 'asking' | 'running' | ToolStatus;
  readonly output: string;
  readonly startedAt: number;
  readonly innerCalls: number;
  /** What the model of this subagent does. */
  readonly activity?: 'thinking' | 'answering' | 'retrying';
  readonly parentToolUseId: string | null;
}

export interface QueuedPrompt {
  readonly id: string;
  readonly text: string;
  /** For the running turn. */
  readonly isSteering: boolean;
}

/** Settled exactly once: by an answer or by withdrawal. */
export type OpenQuestion =
  | {
      readonly kind: 'permission';
      readonly id: string;
      readonly request: PermissionRequest;
      /** Number of questions after it. */
      readonly waiting: number;
      readonly answer: (answer: PermissionAnswer) => void;
    }
  | {
      readonly kind: 'confirmation';
      readonly id: string;
      readonly confirmation: Confirmation;
      readonly waiting: number;
      readonly answer: (answer: ConfirmationAnswer) => void;
    }
  | {
      readonly kind: 'elicitation';
      readonly id: string;
      readonly serverName: string;
      readonly elicitation: Elicitation;
      readonly waiting: number;
      readonly answer: (answer: ElicitationAnswer) => void;
    };

/** A dialog over the input, opened by a command or by the terminal itself. */
export interface OpenDialog {
  readonly name: CommandDialog | 'sessions' | 'rewind' | 'mcp' | 'tasks';
  readonly content?: string;
}

/** Commands whose list opens a dialog; with arguments they run as commands. */
const OWN_DIALOGS: ReadonlyMap<string, OpenDialog['name']> = new Map([
  ['/resume', 'sessions'],
  ['/sessions', 'sessions'],
  ['/rewind', 'rewind'],
  ['/mcp', 'mcp'],
  ['/tasks', 'tasks'],
]);

export function ownDialog(text: string): OpenDialog['name'] | undefined {
  return OWN_DIALOGS.get(text.trim().toLowerCase());
}

export function firstState(start: { readonly model: string; readonly permissionMode: PermissionMode }): TerminalState {
  const { model, permissionMode } = start;
  return { model, permissionMode, calls: [], draft: '', todos: [], queued: [] };
}
