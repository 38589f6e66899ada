import type { PermissionAnswer, PermissionRequest, TodoItem, ToolStatus } from '@qwen/agent';
import type { Confirmation, ConfirmationAnswer } from '@qwen/host/service-apis.js';
import type { PermissionMode } from '@qwen/protocol';
import type { CommandDialog } from '@qwen/protocol/openai';
import type { Elicitation, ElicitationAnswer } from '@qwen/tools';
import type { Theme } from '../theme/theme.js';

/** Everything that the screen below the finished lines shows. Immutable; each change is a new object. */
export interface TerminalState {
  /** What the agent does now; undefined while it waits for a prompt. */
  readonly turn?: RunningTurn;
  readonly model: string;
  readonly permissionMode: PermissionMode;
  /** Tool calls of the running turn that are not finished yet, in their order. */
  readonly calls: readonly LiveCall[];
  /** The end of the message that is being streamed, as Markdown that is not finished yet. */
  readonly draft: string;
  readonly todos: readonly TodoItem[];
  /** Prompts that wait behind the running turn, in their order. */
  readonly queued: readonly QueuedPrompt[];
  /** The question that a person has to answer now; further ones wait behind it. */
  readonly question?: OpenQuestion;
  readonly dialog?: OpenDialog;
  /** A line for a moment, such as `Press Ctrl-C again to leave`. */
  readonly hint?: string;
  /** Chosen in this run; the look of the start counts where it is missing. */
  readonly theme?: Theme;
  readonly context?: { readonly usedTokens: number; readonly windowTokens?: number };
}

export interface RunningTurn {
  /** By the clock of the screen, in epoch milliseconds. */
  readonly startedAt: number;
  readonly phase: 'thinking' | 'answering' | 'tools' | 'waiting' | 'retrying';
  /** Tokens that the model gave so far in this turn, estimated while it speaks. */
  readonly outputTokens: number;
  /** Why and until when the next request waits; epoch milliseconds. */
  readonly retry?: { readonly reason: string; readonly until: number; readonly attempt: number };
  /** Somebody wants it to end. */
  readonly isCancelling: boolean;
}

/** A tool call on its way. */
export interface LiveCall {
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  /** A call of a subagent stays until that makes its next one: then it tells how it came out. */
  readonly phase: 'pending' | 'asking' | 'running' | ToolStatus;
  /** The end of what it printed so far, bounded. */
  readonly output: string;
  readonly startedAt: number;
  /** Calls that its subagent made so far. */
  readonly innerCalls: number;
  /** The call of the task tool that it belongs to; null for the main agent. */
  readonly parentToolUseId: string | null;
}

export interface QueuedPrompt {
  readonly id: string;
  readonly text: string;
}

/** Settled exactly once, by the first answer or by whoever withdraws it. */
export type OpenQuestion =
  | {
      readonly kind: 'permission';
      readonly id: string;
      readonly request: PermissionRequest;
      /** How many wait behind it. */
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
      /** An MCP server wants to know something of the person. */
      readonly kind: 'elicitation';
      readonly id: string;
      readonly serverName: string;
      readonly elicitation: Elicitation;
      readonly waiting: number;
      readonly answer: (answer: ElicitationAnswer) => void;
    };

/** A dialog over the input; of those that commands open and of those that only the terminal has. */
export interface OpenDialog {
  readonly name: CommandDialog | 'sessions' | 'mcp';
  /** The same in words, as the command that opened it says it. */
  readonly content?: string;
}
