import type {
  AgentError,
  Budget,
  ContentBlock,
  PermissionDenial,
  PermissionMode,
  PermissionSuggestion,
  PromptPriority,
  TextBlock,
  ThinkingBlock,
  ToolKind,
  ToolUseBlock,
  Usage,
} from '@qwen/protocol';
import type { TaskEvent } from './ports.js';
import type { ToolOutcome, ToolPreview } from './tool-view.js';

export type AssistantBlock = TextBlock | ThinkingBlock | ToolUseBlock;

export type BudgetLimit = keyof Budget | 'sessionTokens';

export type TurnOutcome =
  | { readonly type: 'success'; readonly text: string; readonly structured?: unknown }
  | { readonly type: 'interrupted'; readonly by: InterruptSource; readonly reason: string }
  | { readonly type: 'max_turns'; readonly limit: number }
  | { readonly type: 'budget'; readonly limit: BudgetLimit }
  | { readonly type: 'error'; readonly error: AgentError };

/** The app or person, a denial or hook that requested it, or the end of the process. */
export type InterruptSource = 'user' | 'permission' | 'hook' | 'shutdown';

interface Attributed {
  readonly parentToolUseId: string | null;
}

/**
 * The only event stream. A turn is `turn_start`, messages and tools, `turn_end`; a message is `message_start`, its blocks
 * by index, `message_end`. The deltas of a block add up to its `block_end`. `message_end` and `tool_end` follow the write
 * to the log; `tool_end` events keep the order of the calls. Readers must not throw or change events.
 */
export type AgentEvent =
  | { readonly type: 'turn_start'; readonly turnId: string }
  /** The running turn took this queued message; the next model call contains it. It gets no separate turn. */
  | {
      readonly type: 'prompt_taken';
      readonly uuid: string;
      readonly content: string | readonly ContentBlock[];
      readonly priority: PromptPriority;
    }
  | ({ readonly type: 'message_start'; readonly messageId: string; readonly model: string } & Attributed)
  | ({
      readonly type: 'block_start';
      readonly messageId: string;
      readonly index: number;
      readonly block: AssistantBlock;
    } & Attributed)
  | ({
      readonly type: 'block_delta';
      readonly messageId: string;
      readonly index: number;
      readonly kind: 'text' | 'thinking' | 'signature' | 'input_json';
      readonly text: string;
    } & Attributed)
  | ({
      readonly type: 'block_end';
      readonly messageId: string;
      readonly index: number;
      readonly block: AssistantBlock;
    } & Attributed)
  | ({
      readonly type: 'message_end';
      readonly messageId: string;
      readonly model: string;
      readonly content: readonly AssistantBlock[];
      readonly stopReason: StopReason;
      readonly usage: Usage;
    } & Attributed)
  /** One for each call, in order, before any other event of the calls. */
  | ({
      readonly type: 'tool_pending';
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
      readonly kind: ToolKind;
    } & Attributed)
  /** A permission question is open; at most one for each call. */
  | ({
      readonly type: 'tool_asking';
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
      readonly reason: string;
      readonly suggestions: readonly PermissionSuggestion[];
      readonly preview: ToolPreview;
    } & Attributed)
  /** The call runs with this input. Calls that never run have no `tool_start`. */
  | ({
      readonly type: 'tool_start';
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
    } & Attributed)
  | ({ readonly type: 'tool_delta'; readonly callId: string; readonly text: string } & Attributed)
  | ({ readonly type: 'tool_end'; readonly outcome: ToolOutcome } & Attributed)
  /** The request is retried after the delay. */
  | ({
      readonly type: 'retry';
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: AgentError;
    } & Attributed)
  | { readonly type: 'model_changed'; readonly model: string }
  /** The next model gets the same request. */
  | ({
      readonly type: 'model_fallback';
      readonly from: string;
      readonly to: string;
      readonly error: AgentError;
    } & Attributed)
  | ({ readonly type: 'budget'; readonly remaining: Budget } & Attributed)
  | { readonly type: 'permission_mode_changed'; readonly mode: PermissionMode }
  /** A summary replaced the older part of the history. Counts are tokens, partly estimated. */
  | ({
      readonly type: 'compacted';
      readonly trigger: 'auto' | 'manual';
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    } & Attributed)
  /** A command in the background; also between turns. */
  | TaskEvent
  | { readonly type: 'history_changed'; readonly reason: 'cleared' | 'restored'; readonly messages: number }
  /** For people. `code` is stable. */
  | ({
      readonly type: 'notice';
      readonly code: string;
      readonly message: string;
      readonly data?: Readonly<Record<string, unknown>>;
    } & Attributed)
  | {
      readonly type: 'turn_end';
      readonly turnId: string;
      readonly outcome: TurnOutcome;
      readonly durationMs: number;
      readonly durationApiMs: number;
      readonly modelCalls: number;
      readonly usage: Usage;
      /** By model, subagents included; `context_window` in tokens if it is known. */
      readonly modelUsage?: Readonly<Record<string, Usage & { readonly context_window?: number }>>;
      readonly permissionDenials: readonly PermissionDenial[];
      readonly budgetRemaining?: Budget;
    };

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'content_filter' | 'interrupted' | 'error' | 'other';
