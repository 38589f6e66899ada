export { builtinCommands } from './builtin/builtin-commands.js';
export { fileLines, rewoundText } from './builtin/rewind-texts.js';
export { taskLine } from './builtin/tasks.js';
export {
  type Command,
  type CommandCall,
  type CommandConflict,
  type CommandKind,
  type Completion,
  type CompletionSources,
  isConfirmed,
} from './command.js';
export {
  type CommandOutcome,
  type MessageLevel,
  type MessageOutcome,
  type PromptContent,
  type ToolRequest,
} from './command-outcome.js';
export { CommandRegistry, type CommandSource, type FoundCommand, topLevelNames } from './command-registry.js';
export { EXPORT_FORMATS, type ExportFormat } from './conversation/export-formats.js';
export {
  type ConversationInfo,
  renderConversation,
} from './conversation/render-conversation.js';
export { type TypedReference, typedReference } from './hints/at-hints.js';
export type {
  FileQuery,
  HintAnswer,
  HintClock,
  HintCommand,
  HintCommands,
  HintFiles,
  HintQuery,
  HintSuggestion,
  HintTrigger,
} from './hints/hint.js';
export { HintEngine, type HintEngineOptions } from './hints/hint-engine.js';
export { toHintLine, toHintQuery } from './hints/hint-line.js';
export type { AccountInfo, CommandHost, CommandSurface, ProgramInfo } from './host/command-host.js';
export type {
  AgentDirectory,
  AgentInfo,
  HookDirectory,
  HookInfo,
  McpControls,
  McpServerInfo,
  PermissionControls,
  RuleInfo,
  ToolDirectory,
  ToolInfo,
  WorkspaceFolders,
} from './host/directories.js';
export type { PastPrompt, RewindControls, RewindPart, Rewound } from './host/rewind-controls.js';
export type {
  Checkpoint,
  CheckpointStore,
  SessionControls,
  StoredSession,
  StoredSessions,
} from './host/session-controls.js';
export type {
  Clipboard,
  CommandShell,
  MemoryFile,
  MemoryFiles,
  ReferenceReader,
  ReferenceText,
  ShellDecision,
  ShellOutput,
  WorkspaceFiles,
} from './host/system-access.js';
export type { PromptParameter } from './prompt-commands.js';
export { fillPrompt, promptCommands, type ServerPrompt } from './prompt-commands.js';
export { type ExpandOptions, expandReferences } from './references/expand-references.js';
export type {
  ExpandedPrompt,
  ExplicitReference,
  ReferencedFile,
  ReferenceWarning,
} from './references/expanded-prompt.js';
export { escapePath } from './references/path-characters.js';
export { createReferenceReader } from './references/reference-reader.js';
export type {
  FileContent,
  ReferenceFile,
  ReferenceSource,
  ReferenceWalk,
  RefusalReason,
  Sighting,
} from './references/reference-source.js';
export { type CommandInvocation, type CommandRun, parseCommandLine, runCommand } from './run-command.js';
export { toWireResult } from './to-wire-result.js';
