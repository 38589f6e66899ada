export { knownAgents, readOnlyAgentNamed } from './agents/known-agents.js';
export { createTaskTool } from './agents/task-tool.js';
export type { ContextUsage } from './conversation/context-usage.js';
export { foldRecords } from './conversation/model-history.js';
export type {
  AgentEvent,
  AssistantBlock,
  BudgetLimit,
  InterruptSource,
  StopReason,
  TurnOutcome,
} from './events.js';
export type { FileHistoryPort, FileRewind, RewoundFile } from './file-history-port.js';
export { compileGlob } from './glob/compile-glob.js';
export {
  type HookedCall,
  type HookMoment,
  type HookPort,
  type HookVerdict,
  NO_VERDICT,
  type SessionEndReason,
} from './hook-port.js';
export { settlesWithin, unlessAborted } from './loop/abortable.js';
export type { CompactionSizes } from './loop/compaction/compact.js';
export { type ExplainOptions, explainPrepared } from './loop/explain-prepared.js';
export { toPlainHookText } from './loop/hooks/hook-text.js';
export type { SessionSource } from './loop/hooks/session-start-hooks.js';
export type { ToolRequest } from './loop/run-requested-tool.js';
export { DEFAULT_MAX_MODEL_CALLS, type ModelPrices } from './loop/turn-context.js';
export type { InterruptCause } from './loop/turn-control.js';
export type { CallFacts, CallPath } from './permission/call-facts.js';
export { type DecidedBy, type Decision, type DecisionInput, decide } from './permission/decide.js';
export { type Explanation, explainCall } from './permission/explain.js';
export { matchesHost, normalHost } from './permission/host-pattern.js';
export type { RuleAnchors } from './permission/path-pattern.js';
export {
  isInProtectedFolder,
  isProtectedFile,
  PROJECT_CONTROL_FILES,
  PROJECT_CONTROL_FOLDERS,
  SHELL_STARTUP_FILES,
  WORKSPACE_FILE_SUFFIX,
} from './permission/protected-files.js';
export { RuleSet } from './permission/rule-set.js';
export { NO_RULES, type PermissionRules, parseRule } from './permission/rules.js';
export { containsPersonalSecrets, isOwnSecret, isPersonalSecret } from './permission/sensitive-files.js';
export {
  changedList,
  type RuleUpdate,
  SessionRules,
  type SessionRulesOptions,
  toRuleText,
} from './permission/session-rules.js';
export { suggestionsFor } from './permission/suggestions.js';
export type {
  BackgroundPort,
  Clock,
  FoundFiles,
  GitHazards,
  ListingScope,
  OutputSchema,
  PathResolver,
  PermissionAnswer,
  PermissionPort,
  PermissionRequest,
  ResolvedPath,
  RuleStore,
  SessionLog,
  TaskEvent,
  TaskView,
} from './ports.js';
export { buildSystemPrompt, type SystemPromptOptions } from './prompt/system-prompt.js';
export {
  type AgentSessionOptions,
  type Continuation,
  type PromptMessage,
  type SessionNotice,
  type Submission,
} from './session/options.js';
export type { PromptOverrides } from './session/prompt-overrides.js';
export { AgentSession } from './session/session.js';
export { SessionHistory } from './session/session-history.js';
export { type ModelUsage, SessionLedger } from './session/session-ledger.js';
export { MemoryLog } from './storage/memory-log.js';
export type {
  AnyTool,
  Confinement,
  PreviewContext,
  StartSubagent,
  SubagentTask,
  Tool,
  ToolContext,
  ToolDefinition,
  ToolPath,
  ToolResult,
} from './tool.js';
export type {
  ChangeStat,
  FileChange,
  SubagentCall,
  SubagentRun,
  TodoItem,
  ToolDisplay,
  ToolOutcome,
  ToolPreview,
  ToolStatus,
} from './tool-view.js';
