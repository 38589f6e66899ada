import type {
  AgentError,
  Budget,
  PermissionDenial,
  PermissionMode,
  PermissionSuggestion,
  TextBlock,
  ThinkingBlock,
  ToolKind,
  ToolUseBlock,
  Usage,
} from '@qwen/protocol';
import type { ToolOutcome, ToolPreview } from './tool-view.js';

/** What an answer of the model is made of. */
export type AssistantBlock = TextBlock | ThinkingBlock | ToolUseBlock;

/** What was used up first: a member of the budget of the prompt, or the tokens of the session as a whole. */
export type BudgetLimit = keyof Budget | 'sessionTokens';

/** How a turn ended. Exactly one for each turn. */
export type TurnOutcome =
  /** `structured`: the value that fits the output schema, where one was asked for; `text` is its JSON then. */
  | { readonly type: 'success'; readonly text: string; readonly structured?: unknown }
  | { readonly type: 'interrupted'; readonly by: InterruptSource; readonly reason: string }
  | { readonly type: 'max_turns'; readonly limit: number }
  | { readonly type: 'budget'; readonly limit: BudgetLimit }
  | { readonly type: 'error'; readonly error: AgentError };

/** Who stopped a turn: the app or person at the controls, a denial or a hook that asked for it, or the end of the process. */
export type InterruptSource = 'user' | 'permission' | 'hook' | 'shutdown';

interface Attributed {
  /** The call of the task tool that this event belongs to; null for the main agent. */
  readonly parentToolUseId: string | null;
}

/**
 * Everything that happens, in order; the one stream that files, dialects and screens read (HOUSE §3.0.3).
 *
 * A turn is: `turn_start`, then messages and tools, then `turn_end`. A message is: `message_start`, blocks in order
 * of their index (`block_start`, `block_delta`…, `block_end`), `message_end`. The deltas of a block, put together,
 * are exactly the block of `block_end`. `message_end` and `tool_end` come once they are written to the log; when that
 * fails the turn ends without them. Tools of one message may overlap; `tool_end` events come in the order of the calls.
 * Readers must not throw and must not change what they get.
 */
export type AgentEvent =
  | { readonly type: 'turn_start'; readonly turnId: string }
  | ({ readonly type: 'message_start'; readonly messageId: string; readonly model: string } & Attributed)
  | ({
      readonly type: 'block_start';
      readonly messageId: string;
      readonly index: number;
      /** The block as it begins: empty text or thinking, or the tool's id and name with an empty input. */
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
  /** A call of the answer is known and waits. One for each call, in their order, before anything else is told of any. */
  | ({
      readonly type: 'tool_pending';
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
      /** `other` where there is no such tool. */
      readonly kind: ToolKind;
    } & Attributed)
  /** Somebody is asked whether the call may run. At most one question is open for a call. */
  | ({
      readonly type: 'tool_asking';
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
      /** Why it is asked, for people. */
      readonly reason: string;
      readonly suggestions: readonly PermissionSuggestion[];
      readonly preview: ToolPreview;
    } & Attributed)
  /** The call runs now, with this input. Calls that never run (unknown, malformed, denied) have no `tool_start`. */
  | ({
      readonly type: 'tool_start';
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
    } & Attributed)
  /** Live output of a running tool, for screens; not part of the result. */
  | ({ readonly type: 'tool_delta'; readonly callId: string; readonly text: string } & Attributed)
  | ({ readonly type: 'tool_end'; readonly outcome: ToolOutcome } & Attributed)
  /** A request to the provider failed and is made again after the delay. */
  | ({
      readonly type: 'retry';
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: AgentError;
    } & Attributed)
  | { readonly type: 'model_changed'; readonly model: string }
  /** A model failed before it said anything; the next one gets the same request. */
  | ({
      readonly type: 'model_fallback';
      readonly from: string;
      readonly to: string;
      readonly error: AgentError;
    } & Attributed)
  /** What is left of the budget of the prompt, before each model call; only where there is one. */
  | ({ readonly type: 'budget'; readonly remaining: Budget } & Attributed)
  | { readonly type: 'permission_mode_changed'; readonly mode: PermissionMode }
  /** The older part of a conversation is a summary to the model from now on. Counts are tokens, estimated where need be. */
  | ({
      readonly type: 'compacted';
      readonly trigger: 'auto' | 'manual';
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    } & Attributed)
  /** The conversation is another one to the model from now on; `messages` are those that it has. */
  | { readonly type: 'history_changed'; readonly reason: 'cleared' | 'restored'; readonly messages: number }
  /** Something a person should know that is not part of the conversation. `code` is stable, `message` is for reading. */
  | ({
      readonly type: 'notice';
      readonly code: string;
      readonly message: string;
      /** Facts beyond the message, for programs. */
      readonly data?: Readonly<Record<string, unknown>>;
    } & Attributed)
  | {
      readonly type: 'turn_end';
      readonly turnId: string;
      readonly outcome: TurnOutcome;
      readonly durationMs: number;
      /** Time of it spent waiting for the model. */
      readonly durationApiMs: number;
      readonly modelCalls: number;
      readonly usage: Usage;
      readonly permissionDenials: readonly PermissionDenial[];
      /** Missing where the prompt had no budget. */
      readonly budgetRemaining?: Budget;
    };

/** Why a message ended, in the words of the sdk dialect (CF-55). */
export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'content_filter' | 'interrupted' | 'error' | 'other';
