// Names that apps of the Claude Agent SDK import for these types.

import type {
  CliMcpServerConfig,
  HookInput,
  HookInputOf,
  HookOutput,
  PermissionDestination,
  SDKResultMessage,
  SDKSystemMessage,
  Usage,
} from '@qwen/protocol';
import type { PermissionResult } from './callbacks/can-use-tool.js';
import type { ForeignOptions, SdkMcpServerConfigWithInstance } from './options/options.js';

export type BaseHookInput = Pick<HookInput, 'session_id' | 'transcript_path' | 'cwd' | 'permission_mode'>;
export type PreToolUseHookInput = HookInputOf<'PreToolUse'>;
export type PostToolUseHookInput = HookInputOf<'PostToolUse'>;
export type UserPromptSubmitHookInput = HookInputOf<'UserPromptSubmit'>;
export type StopHookInput = HookInputOf<'Stop'>;
export type SubagentStopHookInput = HookInputOf<'SubagentStop'>;
export type SessionStartHookInput = HookInputOf<'SessionStart'>;
export type SessionEndHookInput = HookInputOf<'SessionEnd'>;
export type PreCompactHookInput = HookInputOf<'PreCompact'>;
export type NotificationHookInput = HookInputOf<'Notification'>;

export type SyncHookJSONOutput = Omit<HookOutput, 'async' | 'asyncTimeout'>;
export type AsyncHookJSONOutput = Pick<HookOutput, 'asyncTimeout'> & { async: true };
type SpecificOutput = NonNullable<HookOutput['hookSpecificOutput']>;
export type HookPermissionDecision = NonNullable<SpecificOutput['permissionDecision']>;
export type PreToolUseHookSpecificOutput = { hookEventName: 'PreToolUse' } & Pick<
  SpecificOutput,
  'permissionDecision' | 'permissionDecisionReason' | 'updatedInput' | 'additionalContext'
>;
export type PostToolUseHookSpecificOutput = { hookEventName: 'PostToolUse' } & Pick<
  SpecificOutput,
  'additionalContext' | 'updatedToolOutput' | 'updatedMCPToolOutput'
>;
export type UserPromptSubmitHookSpecificOutput = { hookEventName: 'UserPromptSubmit' } & Pick<
  SpecificOutput,
  'additionalContext'
>;
export type SessionStartHookSpecificOutput = { hookEventName: 'SessionStart' } & Pick<
  SpecificOutput,
  'additionalContext'
>;

export type PermissionBehavior = PermissionResult['behavior'] | 'ask';
export type PermissionUpdateDestination = PermissionDestination;
/** A rule in two parts; `Bash(npm test)` has the content `npm test`. */
export interface PermissionRuleValue {
  toolName: string;
  ruleContent?: string | undefined;
}

export type OutputFormat = NonNullable<ForeignOptions['outputFormat']>;
export type JsonSchemaOutputFormat = OutputFormat;
export type OutputFormatType = OutputFormat['type'];
export type ThinkingConfig = NonNullable<ForeignOptions['thinking']>;
export type ThinkingAdaptive = Extract<ThinkingConfig, { type: 'adaptive' }>;
export type ThinkingEnabled = Extract<ThinkingConfig, { type: 'enabled' }>;

export type McpStdioServerConfig = CliMcpServerConfig & { type?: 'stdio'; command: string };
export type McpSSEServerConfig = CliMcpServerConfig & { type: 'sse'; url: string };
export type McpHttpServerConfig = CliMcpServerConfig & { type: 'http'; url: string };
export type McpSdkServerConfig = Omit<SdkMcpServerConfigWithInstance, 'instance'>;
export type McpServerConfigForProcessTransport = CliMcpServerConfig;

export type ModelUsage = NonNullable<SDKResultMessage['modelUsage']>[string];
export type NonNullableUsage = Usage;
export type SDKMirrorErrorMessage = Extract<SDKSystemMessage, { subtype: 'mirror_error' }>;
export type SDKCompactBoundaryMessage = Extract<SDKSystemMessage, { subtype: 'compact_boundary' }>;
