// Every name of @qwen-code/sdk, and what it is in @qwen/sdk. `node e2e/compat/qwen-code-sdk/surface.ts` prints
// the tables of docs/compatibility.md.

export interface Section {
  readonly title: string;
  /** A type of both packages; without it, their exports. */
  readonly type?: string;
  /** Names with the same meaning. */
  readonly same: string;
  /** Names that exist here with a difference. */
  readonly differs?: Readonly<Record<string, string>>;
  /** Names with another name here. */
  readonly alias?: Readonly<Record<string, string>>;
  /** Names without a counterpart. */
  readonly refused?: Readonly<Record<string, string>>;
}

/** Exports of the client of their server, and of types that only it uses. */
export const SERVER_NAMES =
  /Daemon|DAEMON|Standalone|STANDALONE|Extension|Goal|PENDING_PROMPT|DEVICE_FLOW|^(?:AwaitCompletionOptions|BranchSessionRequest|CreateSessionRequest|DeliveryResultSource|ForkSessionRequest|HeartbeatResult|HistoricalBranchSessionRequest|MCPServerConfigShape|NonBlockingPromptAccepted|OpenStringUnion|PermissionOutcome\w*|PermissionResponse|Prompt\w+|ReasoningSelection|RestoreSessionRequest|ServeBridgeMcpServerOptions|Session\w+|SetModelResult|SetSessionLanguageResult|SetUserLanguageResult|SideTaskSessionRequest|SseFramingError|SubscribeOptions|TranscriptCursor|WorktreeResetSessionRequest|createServeBridgeMcpServer|isWorkspaceScopedBudgetEvent|parseSseStream|requireWorkspaceCwd)$/;

const NO_ANNOTATIONS = 'blocks have no `annotations`';

export const SURFACE: readonly Section[] = [
  {
    title: 'Options',
    type: 'QueryOptions',
    same: `cwd model pathToQwenExecutable systemPrompt canUseTool mcpServers abortController debug stderr logLevel
      maxSessionTurns excludeTools allowedTools authType effort includePartialMessages resume sessionId forkSession
      maxToolCalls includeDirectories extraArgs allowedMcpServerNames fallbackModel safeMode disabledSlashCommands
      timeout`,
    differs: {
      agents: '`executionBackend` of an agent is refused',
      coreTools: 'an empty list disables all built-in tools, and `Bash(git *)` allows no other Bash commands',
      env: '`NODE_OPTIONS` of the app is not inherited',
      maxSubagentDepth: 'without effect: subagents cannot start other subagents',
      sandbox: 'uses bubblewrap on Linux instead of a container; also accepts a mode, such as `read-only`',
      permissionMode: '`auto` is refused, and the default is `default`',
      proxy: 'a URL with a password is refused: set `HTTPS_PROXY` in `env`',
    },
    refused: {
      extensions: 'there are no extensions; use `mcpServers`, `agents` and commands',
      insecure: 'set `NODE_EXTRA_CA_CERTS` in `env`',
      worktree: 'create the worktree and pass it as `cwd`',
    },
  },
  {
    title: 'Members of a query',
    type: 'Query',
    same: `initialized close next throw streamInput endInput interrupt continueLastTurn setPermissionMode setModel
      getContextUsage setEffort setEffortStatus getInitialEffortStatus getAvailableModels supportedCommands getSessionId
      isClosed`,
    differs: {
      return: 'leaving the loop also stops the CLI',
      getUsageInfo: 'always returns the usage of this session, for any range',
      mcpServerStatus: 'returns the state of each server by name; `mcpServers()` adds errors',
    },
  },
  {
    title: 'User messages',
    type: 'SDKUserMessage',
    same: 'type uuid session_id message parent_tool_use_id',
    refused: { options: 'use the options of the query' },
  },
  {
    title: 'Assistant messages',
    type: 'SDKAssistantMessage',
    same: 'type uuid session_id parent_tool_use_id',
    differs: { message: 'its type has an optional `usage`' },
  },
  {
    title: 'System messages of subtype `init`',
    type: 'SDKSystemMessage',
    same: `type subtype uuid session_id cwd tools mcp_servers model permission_mode slash_commands qwen_code_version
      agents skills data`,
    differs: { compact_metadata: 'present only on messages of the subtype `compact_boundary`; the types enforce this' },
    refused: {
      output_style: 'there are no output styles',
      capabilities: 'read `initialize()`',
    },
  },
  {
    title: 'Results',
    type: 'SDKResultMessage',
    same: `type uuid session_id is_error duration_ms duration_api_ms num_turns result usage permission_denials error`,
    differs: {
      subtype: 'also `interrupted`, which is no error and has no `result`, and subtypes for budgets',
      modelUsage: 'its `contextWindow` is missing if it is unknown',
    },
  },
  {
    title: 'Partial messages',
    type: 'SDKPartialAssistantMessage',
    same: 'type uuid session_id event parent_tool_use_id',
  },
  {
    title: 'Members of `agents`',
    type: 'SubagentConfig',
    same: 'name description tools systemPrompt level filePath model runConfig color isBuiltin',
    refused: { executionBackend: 'use `spawnProcess` to run the CLI in a container' },
  },
  {
    title: 'Members of `mcpServers`',
    type: 'CLIMcpServerConfig',
    same: `command args env cwd url httpUrl headers tcp timeout trust description includeTools excludeTools
      extensionName oauth authProviderType targetAudience targetServiceAccount`,
    refused: { versionNegotiation: 'the version is always negotiated' },
  },
  {
    title: 'Exports',
    same: `AbortError APIAssistantMessage APIUserMessage AuthType CanUseTool CLIControlContinueLastTurnRequest
      CLIControlGetAvailableModelsRequest CLIControlGetContextUsageRequest CLIControlGetUsageInfoRequest
      CLIControlInitializeRequest CLIControlInterruptRequest CLIControlMcpMessageRequest CLIControlMcpStatusRequest
      CLIControlPermissionRequest CLIControlRequest CLIControlResponse CLIControlSetEffortRequest
      CLIControlSetModelRequest CLIControlSetPermissionModeRequest CLIControlSupportedCommandsRequest
      CLIHookCallbackRequest CLIMcpServerConfig CLIPermissionDenial ContentBlock ContentBlockDelta
      ContentBlockDeltaEvent ContentBlockStartEvent ContentBlockStopEvent ControlCancelRequest ControlErrorResponse
      ControlMessage ControlRequestPayload ControlResponse createSdkMcpServer CreateSdkMcpServerOptions EffortOverride
      EffortStatus EffortTier ExtendedUsage isAbortError isControlCancel isControlRequest isControlResponse
      isSDKAssistantMessage isSDKPartialAssistantMessage isSDKResultMessage isSDKSystemMessage isSDKUserMessage
      isSdkMcpServerConfig LoggerConfig LogLevel McpAuthProviderType McpOAuthConfig McpSdkServerConfigWithInstance
      MCPServerConfig McpServerConfig MessageStartStreamEvent MessageStopStreamEvent ModelUsage PERMISSION_MODES PermissionMode
      PermissionResult PermissionSuggestion Query query QueryOptions QuerySystemPrompt QuerySystemPromptPreset RunConfig
      ScopedLogger SDKAssistantMessage SdkLogger SDKMcpServerConfig SdkMcpToolDefinition SDKMessage
      SDKPartialAssistantMessage SDKResultMessage SDKResultMessageError SDKResultMessageSuccess SDKSystemMessage
      SDKUserMessage StreamEvent SubagentConfig SubagentLevel TextBlock ThinkingBlock tool ToolInput ToolResultBlock
      ToolUseBlock Transport Usage WireSDKMcpServerConfig`,
    alias: { HookRegistration: '`HookCallbackMatcher`' },
    refused: { Annotation: NO_ANNOTATIONS },
  },
];

const namesOf = (text: string): string[] => text.split(/\s+/).filter((name) => name !== '');

export function namedIn({ same, differs = {}, alias = {}, refused = {} }: Section): string[] {
  return [...namesOf(same), ...Object.keys(differs), ...Object.keys(alias), ...Object.keys(refused)];
}

/** Names that our types must have. */
export function existingIn({ same, differs = {} }: Section): string[] {
  return [...namesOf(same), ...Object.keys(differs)];
}

export function printSurface(): string {
  return SURFACE.map((section) => {
    const { title, same, differs = {}, alias = {}, refused = {} } = section;
    const names = namesOf(same).map((name) => `\`${name}\``);
    const rows = [
      ...Object.entries(differs).map(([name, text]) => `| \`${name}\` | same, but ${text} |`),
      ...Object.entries(alias).map(([name, text]) => `| \`${name}\` | alias: ${text} |`),
      ...Object.entries(refused).map(([name, text]) => `| \`${name}\` | refused: ${text} |`),
    ];
    const others = rows.length === 0 ? [] : [['| name | here |', '|---|---|', ...rows].join('\n')];
    return [`### ${title}`, `The same (${names.length}): ${names.join(', ')}.`, ...others].join('\n\n');
  }).join('\n\n');
}

if (import.meta.main) process.stdout.write(`${printSurface()}\n`);
