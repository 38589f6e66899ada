export type { FetchLike } from '@modelcontextprotocol/client';
export { isOwnSecret, isPersonalSecret, isProtectedFile } from '@qwen/agent';
export { isInside, realPathOf } from '@qwen/agent/node';
export { type BuiltinToolsOptions, builtinTools } from './builtin-tools.js';
export { askUserInput, askUserTool } from './conversation/ask-user-tool.js';
export { exitPlanInput } from './conversation/exit-plan-tool.js';
export { type LoadedSkill, type SkillSource, skillInput } from './conversation/skill-tool.js';
export { todoInput } from './conversation/todo-tool.js';
export { type OpenFile, openFile } from './files/anchored-open.js';
export { toFileError } from './files/file-error.js';
export { type EditorFiles, FileLedger } from './files/file-ledger.js';
export { type FileView, imageMediaType, SIGNATURE_BYTES, viewFile } from './files/file-view.js';
export { type LoadedFile, loadFile } from './files/load-file.js';
export { readPatch } from './files/read-patch.js';
export { type ReplacedFile, type ReplaceOptions, removeFile, replaceFile } from './files/replace-file.js';
export { type DecodedText, decodeText } from './files/text-encoding.js';
export { unifiedDiff } from './files/unified-diff.js';
export type { AuthRecord, AuthStorage } from './mcp/auth/auth-storage.js';
export { authorizedFetch } from './mcp/auth/authorized-fetch.js';
export { GoogleSource, ImpersonationSource } from './mcp/auth/google-source.js';
export { MachineSource, type MachineSourceOptions } from './mcp/auth/machine-source.js';
export { OAuthSource, type OAuthSourceOptions } from './mcp/auth/oauth-source.js';
export type { AuthChallenge, TokenSource } from './mcp/auth/token-source.js';
export { type BridgeSend, ControlBridgeTransport } from './mcp/bridge-transport.js';
export {
  connectInAppMcpServer,
  connectMcpServer,
  type InAppMcpConnection,
  type InAppMcpServerOptions,
  type McpConnection,
  type McpServerOptions,
} from './mcp/client.js';
export type { Elicit, Elicitation, ElicitationAnswer } from './mcp/elicitation.js';
export { type McpEndpoint, type RemoteEndpoint, readEndpoint } from './mcp/endpoint.js';
export { nameTools, type ToolChoice } from './mcp/list-tools.js';
export { type McpToolEntry, mcpTool, mcpToolSchema } from './mcp/mcp-tool.js';
export type { McpPrompt, PromptMessages } from './mcp/prompts.js';
export type { ResourceEntry, ResourceText } from './mcp/resources.js';
export { toServerPart } from './mcp/tool-name.js';
export { createTransport, type McpTransport, type TransportOptions } from './mcp/transports/create-transport.js';
export { findProgram, type ProgramSearch } from './paths/find-program.js';
export { createPathResolver, type PathResolverOptions, toAbsolutePath } from './paths/path-resolver.js';
export {
  CommandSandbox,
  type CommandSandboxOptions,
  type HostRequest,
  openCommandSandbox,
  preventedBySandbox,
} from './sandbox/command-sandbox.js';
export type { SandboxPolicy } from './sandbox/policy.js';
export { findRipgrep, findSearchEngine } from './search/find-search-engine.js';
export { compileGlob, splitGlob } from './search/glob-pattern.js';
export { IgnoreCheck } from './search/ignore-check.js';
export {
  type FileMatches,
  MAX_LINE_LENGTH,
  type SearchEngine,
  type SearchRequest,
} from './search/search-engine.js';
export { compareNames, type WalkedFile, type WalkOptions, walkFiles } from './search/walk.js';
export { BackgroundTasks } from './shell/background-tasks.js';
export { commandEnvironment, withheldVariables } from './shell/command-environment.js';
export { type GuardedCommand, runGuardedCommand } from './shell/guarded-command.js';
export type { CommandResult } from './shell/run-command.js';
export { cutLine } from './truncate.js';
export type { WebSearchChoice } from './web/web-search-tool.js';
export { summarizeWorkspace } from './workspace-summary.js';
