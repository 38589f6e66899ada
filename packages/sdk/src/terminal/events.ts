import type { AgentError } from '@qwen/protocol';
import type {
  CommandDescriptor,
  CommandResult,
  CompletionUsage,
  HintLine,
  LineControlError,
  LineError,
  LineMetadata,
  LineToolCall,
  TerminalAnnotation,
  ToolDisplayAnnotation,
  TurnSummary,
} from '@qwen/protocol/openai';

/** Which session, turn and call something belongs to, as far as its line says. */
export interface EventPlace {
  readonly sessionId?: string | undefined;
  readonly promptId?: string | undefined;
  /** The call of the task tool, for what a subagent does. */
  readonly parentToolCallId?: string | undefined;
}

/** What one line of the openai dialect says, told apart by `kind`. A line may say several things, in this order. */
export type QwenEventBody =
  /** The first line of a process: version, capabilities, formats. */
  | { readonly kind: 'receipt'; readonly receipt: LineMetadata }
  /**
   * Words of the model: a whole message in the message format, a piece of one in the chunk format. `terminal` says how
   * they look, where that is told; its offsets refer to this text.
   */
  | { readonly kind: 'text'; readonly text: string; readonly terminal: readonly TerminalAnnotation[] }
  /** Text around the answer, as a terminal shows it: tool lines, notices, errors, what a library printed. */
  | { readonly kind: 'terminal'; readonly text: string; readonly terminal: TerminalAnnotation }
  /** A raw sequence that belongs to no text. */
  | { readonly kind: 'ansi'; readonly value: string }
  | { readonly kind: 'thought'; readonly subject: string; readonly description: string }
  /** The state of one call, each time that it changes. */
  | { readonly kind: 'tool'; readonly display: ToolDisplayAnnotation }
  /** A message is whole: of the model, or with the role `tool` what the model reads of a result. */
  | {
      readonly kind: 'message';
      readonly role: 'assistant' | 'tool';
      readonly text: string;
      readonly toolCalls: readonly LineToolCall[];
      readonly toolCallId: string | undefined;
      /** `stop`, `tool_calls`, `length`, `content_filter`; null for messages of tools. */
      readonly finishReason: string | null;
    }
  /** Tokens of one model call. In the chunk format behind its message, that of the last message behind the summary. */
  | { readonly kind: 'usage'; readonly usage: CompletionUsage }
  | { readonly kind: 'control_error'; readonly error: LineControlError }
  /** Something failed and the process lives. */
  | { readonly kind: 'error'; readonly error: LineError }
  /** The turn is over. */
  | { readonly kind: 'summary'; readonly summary: TurnSummary }
  | {
      readonly kind: 'session_event';
      /** One of `SESSION_EVENTS`, or a word of a newer program. */
      readonly event: string;
      /** For people. */
      readonly message: string;
      readonly metrics: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'command'; readonly command: CommandDescriptor | undefined; readonly result: CommandResult }
  | { readonly kind: 'hint'; readonly hint: HintLine }
  | { readonly kind: 'heartbeat'; readonly status: string; readonly at: Date }
  | { readonly kind: 'cancel'; readonly status: string; readonly message: string | undefined }
  /** The program asks the app; whoever serves the question answers it, not the reader of events. */
  | {
      readonly kind: 'control_request';
      readonly requestId: string;
      readonly subtype: string;
      readonly payload: unknown;
    }
  /** The program ends. */
  | { readonly kind: 'fatal'; readonly error: AgentError }
  /** The process was silent or gone, and another one took its place; turns that ran have failed with this reason. */
  | { readonly kind: 'restarted'; readonly reason: AgentError }
  /** A line of a kind that we do not know, as it came. */
  | { readonly kind: 'unknown'; readonly value: object }
  /** A line that cannot be read. */
  | { readonly kind: 'invalid'; readonly error: AgentError };

/** Something that happened, and where. End a `switch` over `kind` with a `default` that ignores. */
export type QwenEvent = EventPlace & QwenEventBody;

/** One kind of event. */
export type QwenEventOf<Kind extends QwenEvent['kind']> = EventPlace & Extract<QwenEventBody, { readonly kind: Kind }>;
