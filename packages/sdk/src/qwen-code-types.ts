import type {
  AgentConfig,
  CliMcpServerConfig,
  ContentDelta,
  ControlPayload,
  ControlResult,
  Effort,
  SDKAssistantMessage,
  SDKResultMessage,
  SDKUserMessage,
  SdkMcpServerConfig,
  StreamEvent,
  SubtypeAskedBy,
  Usage,
} from '@qwen/protocol';

import type { ForeignAgentMembers } from './options/options.js';

// Further names of the types of `@qwen-code/sdk`.

/** The message of a {@link SDKUserMessage}. */
export type APIUserMessage = SDKUserMessage['message'];
/** The message of a {@link SDKAssistantMessage}. */
export type APIAssistantMessage = SDKAssistantMessage['message'];
/** A result of subtype `success`. */
export type SDKResultMessageSuccess = Extract<SDKResultMessage, { subtype: 'success' }>;
/** A result with `is_error`. */
export type SDKResultMessageError = Extract<SDKResultMessage, { is_error: true }>;
/** The usage of a result. */
export type ExtendedUsage = Usage;

type StreamEventOf<Type extends StreamEvent['type']> = Extract<StreamEvent, { type: Type }>;
/** Opens a partial answer. */
export type MessageStartStreamEvent = StreamEventOf<'message_start'>;
/** Opens a block of a partial answer. */
export type ContentBlockStartEvent = StreamEventOf<'content_block_start'>;
/** Adds to a block of a partial answer. */
export type ContentBlockDeltaEvent = StreamEventOf<'content_block_delta'>;
/** Closes a block of a partial answer. */
export type ContentBlockStopEvent = StreamEventOf<'content_block_stop'>;
/** Closes a partial answer. */
export type MessageStopStreamEvent = StreamEventOf<'message_stop'>;
/** What a {@link ContentBlockDeltaEvent} adds. */
export type ContentBlockDelta = ContentDelta;

type RequestOf<Subtype extends SubtypeAskedBy<'app'>> = ControlPayload<Subtype> & { subtype: Subtype };
/** The request of `continueLastTurn()`. */
export type CLIControlContinueLastTurnRequest = RequestOf<'continue_last_turn'>;
/** The request of `getContextUsage()`. */
export type CLIControlGetContextUsageRequest = RequestOf<'get_context_usage'>;
/** The request of `setEffort()`. */
export type CLIControlSetEffortRequest = RequestOf<'set_effort'>;
/** The request of `getAvailableModels()`. */
export type CLIControlGetAvailableModelsRequest = RequestOf<'get_available_models'>;
/** The request of `getUsageInfo()`. */
export type CLIControlGetUsageInfoRequest = RequestOf<'get_usage_info'>;

/** An MCP server outside of the app. */
export type MCPServerConfig = CliMcpServerConfig;
/** An MCP server of the app, as the CLI knows it. */
export type WireSDKMcpServerConfig = SdkMcpServerConfig;
/** How an MCP server outside of the app finds its provider of tokens. */
export type McpAuthProviderType = NonNullable<CliMcpServerConfig['authProviderType']>;

/** A subagent of the option `agents`. */
export type SubagentConfig = AgentConfig & ForeignAgentMembers;
/** The limits of a subagent. */
export type RunConfig = NonNullable<AgentConfig['runConfig']>;
/** Where a subagent of an app belongs. */
export type SubagentLevel = 'session';
/** A word for the option `effort`. */
export type EffortTier = Effort;
/** The setting that overrides an effort. */
export type EffortOverride = NonNullable<ControlResult<'set_effort'>['override']>;
