// Reads the openai dialect. Runs in browsers: imports nothing of Node.js.
export { AgentError } from '@qwen/protocol';
export {
  type Annotation,
  type ChunkLine,
  COMMAND_DIALOGS,
  type CompletionLine,
  type OutputLine,
  readOutputLine,
  SESSION_EVENTS,
  type SessionEventName,
  TERMINAL_SOURCES,
  THEME_TOKENS,
  type ThemeToken,
  TOOL_STATUSES,
  type ToolStatus,
} from '@qwen/protocol/openai';
export { CompletionCollector, collectCompletions } from './completion-collector.js';
export { EventReader } from './event-reader.js';
export type { EventScope, QwenEvent, QwenEventOf } from './events.js';
export { createTerminalReplay, type TerminalReplay, type TerminalReplayOptions } from './terminal-replay.js';
export { toCommandDescriptor } from './to-command-descriptor.js';
export { toDate } from './to-date.js';
