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

/** The session, turn and call of an event, as far as its line has them. */
export interface EventScope {
  readonly sessionId?: string | undefined;
  readonly promptId?: string | undefined;
  /** The task call that started the subagent. */
  readonly parentToolCallId?: string | undefined;
}

/** An event of the openai dialect, discriminated by `kind`. A line may have several, in this order. */
export type QwenEventBody =
  /** First line of a process: version, capabilities and formats. */
  | { readonly kind: 'receipt'; readonly receipt: LineMetadata }
  /**
   * Text of the model: complete in the message format, partial in the chunk format. `terminal` has its styling, with
   * offsets into this text.
   */
  | { readonly kind: 'text'; readonly text: string; readonly terminal: readonly TerminalAnnotation[] }
  /** Other terminal output: tool lines, notices, errors, output of libraries. */
  | { readonly kind: 'terminal'; readonly text: string; readonly terminal: TerminalAnnotation }
  /** An escape sequence without text. */
  | { readonly kind: 'ansi'; readonly value: string }
  | { readonly kind: 'thought'; readonly subject: string; readonly description: string }
  /** The new state of a tool call. */
  | { readonly kind: 'tool'; readonly display: ToolDisplayAnnotation }
  /** A complete message of the model, or with role `tool` a tool result. */
  | {
      readonly kind: 'message';
      readonly role: 'assistant' | 'tool';
      readonly text: string;
      readonly toolCalls: readonly LineToolCall[];
      readonly toolCallId: string | undefined;
      /** `stop`, `tool_calls`, `length`, `content_filter`; null for tool results. */
      readonly finishReason: string | null;
    }
  /** Tokens of one model call. In the chunk format after its message; for the last message after the summary. */
  | { readonly kind: 'usage'; readonly usage: CompletionUsage }
  | { readonly kind: 'control_error'; readonly error: LineControlError }
  /** A failure that does not end the process. */
  | { readonly kind: 'error'; readonly error: LineError }
  /** End of the turn. */
  | { readonly kind: 'summary'; readonly summary: TurnSummary }
  | {
      readonly kind: 'session_event';
      /** One of `SESSION_EVENTS`, or an event of a newer CLI. */
      readonly event: string;
      /** Human-readable. */
      readonly message: string;
      readonly metrics: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'command'; readonly command: CommandDescriptor | undefined; readonly result: CommandResult }
  | { readonly kind: 'hint'; readonly hint: HintLine }
  | { readonly kind: 'heartbeat'; readonly status: string; readonly at: Date }
  | { readonly kind: 'cancel'; readonly status: string; readonly message: string | undefined }
  /** A request of the CLI, which the callbacks of the session answer. */
  | {
      readonly kind: 'control_request';
      readonly requestId: string;
      readonly subtype: string;
      readonly payload: unknown;
    }
  /** The process exits with an error. */
  | { readonly kind: 'fatal'; readonly error: AgentError }
  /** The process was replaced; its running turns have failed with this reason. */
  | { readonly kind: 'restarted'; readonly reason: AgentError }
  /** A line of an unknown type, unchanged. */
  | { readonly kind: 'unknown'; readonly value: object }
  /** An unreadable line. */
  | { readonly kind: 'invalid'; readonly error: AgentError };

/** An event with its scope. Ignore unknown kinds: newer versions add some. */
export type QwenEvent = EventScope & QwenEventBody;

/** `AsyncIterableIterator` has other parameters before TypeScript 5.6. */
export type QwenEventIterator = AsyncIterator<QwenEvent, undefined> & AsyncIterable<QwenEvent>;

/** The events of one kind. */
export type QwenEventOf<Kind extends QwenEvent['kind']> = EventScope & Extract<QwenEventBody, { readonly kind: Kind }>;
