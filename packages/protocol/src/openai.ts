// Lines of the openai dialect. A separate entry: programs of the other dialect do not load it.

export {
  type Annotation,
  type AnsiAnnotation,
  annotationSchema,
  LOG_SCOPES,
  type LogScope,
  SESSION_EVENTS,
  type SessionEvent,
  type SessionEventName,
  type Span,
  sessionEventSchema,
  TERMINAL_SOURCES,
  type TerminalAnnotation,
  type TerminalSource,
  THEME_TOKENS,
  type ThemeToken,
  type ThoughtAnnotation,
} from './openai/annotations.js';
export type { AnsiItem } from './openai/ansi-item.js';
export { type ChatPart, chatPartSchema } from './openai/chat-parts.js';
export {
  CHAT_ORIGINS,
  type ChatOptions,
  type ChatOrigin,
  type ChatRequest,
  chatRequestSchema,
  type FunctionTool,
  type MessagesRequest,
  messagesRequestSchema,
  messageText,
  type OpenAiMessage,
  type ToolRequest,
} from './openai/chat-request.js';
export {
  COMMAND_DIALOGS,
  type CommandDescriptor,
  type CommandDialog,
  type CommandReference,
  type CommandResult,
  commandDescriptorSchema,
  commandResultSchema,
} from './openai/command-result.js';
export {
  type ChunkLine,
  type CompletionLine,
  type CompletionUsage,
  chunkLineSchema,
  completionLineSchema,
  type FatalErrorLine,
  fatalErrorLineSchema,
  type LineControlError,
  type LineError,
  type LineMetadata,
  type LineToolCall,
  type ToolCallDelta,
  type TurnSummary,
} from './openai/completion-lines.js';
export { CONFIRMATION_OUTCOMES, type ConfirmationOutcome } from './openai/confirmation-outcomes.js';
export { type ControlOrigin, toOpenAiControlLine } from './openai/control-lines.js';
export { type ReadChatRequest, readChatRequest } from './openai/read-chat-request.js';
export { type InputLine, readFurther, readInputLine } from './openai/read-input-line.js';
export { type OutputLine, readOutputLine } from './openai/read-output-line.js';
export {
  type CancelLine,
  type CommandLine,
  type HeartbeatLine,
  type HintLine,
  RESULT_LINE_SCHEMAS,
  type Suggestion,
} from './openai/result-lines.js';
export { readToolArguments } from './openai/tool-arguments.js';
export {
  type Confirmation,
  type ResultDisplay,
  TOOL_STATUSES,
  type ToolDisplayAnnotation,
  type ToolStatus,
} from './openai/tool-display.js';
export {
  type CancelRequest,
  type HeartbeatRequest,
  type HintCancel,
  type HintRequest,
  TYPED_REQUEST_SCHEMAS,
  type TypedRequest,
} from './openai/typed-requests.js';
export { unknownMembers } from './openai/unknown-members.js';
export { TerminalTextStream, toTerminalText } from './text/hidden-characters.js';
