import type { CompatTable } from './compat-table.ts';

// Every name of @qwen-code/sdk, and what it is in @qwen/sdk.

/** Exports of the client of their server, and of types that only it uses. */
const SERVER_NAMES =
  /Daemon|DAEMON|Standalone|STANDALONE|Extension|Goal|PENDING_PROMPT|DEVICE_FLOW|^(?:AwaitCompletionOptions|BranchSessionRequest|CreateSessionRequest|DeliveryResultSource|ForkSessionRequest|HeartbeatResult|HistoricalBranchSessionRequest|MCPServerConfigShape|NonBlockingPromptAccepted|OpenStringUnion|PermissionOutcome\w*|PermissionResponse|Prompt\w+|ReasoningSelection|RestoreSessionRequest|ServeBridgeMcpServerOptions|Session\w+|SetModelResult|SetSessionLanguageResult|SetUserLanguageResult|SideTaskSessionRequest|SseFramingError|SubscribeOptions|TranscriptCursor|WorktreeResetSessionRequest|createServeBridgeMcpServer|isWorkspaceScopedBudgetEvent|parseSseStream|requireWorkspaceCwd)$/;

const NO_ANNOTATIONS = 'blocks have no `annotations`';

export const QWEN_CODE_SDK: CompatTable = {
  packageName: '@qwen-code/sdk',
  version: '0.1.14',
  page: 'compatibility.md',
  sections: [
    {
      title: 'Options',
      theirs: 'Theirs.QueryOptions',
      ours: 'Ours.QueryOptions',
      names: 'written',
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
      refused: [
        ['extensions', 'there are no extensions; use `mcpServers`, `agents` and commands'],
        ['insecure', 'set `NODE_EXTRA_CA_CERTS` in `env`'],
        ['worktree', 'create the worktree and pass it as `cwd`'],
      ],
    },
    {
      title: 'Permission modes',
      theirs: 'Theirs.PermissionMode',
      ours: 'Ours.PermissionModeOption',
      lists: 'words',
      names: 'written',
      same: 'plan default auto-edit yolo',
      refused: [['auto', 'no model decides which calls run; use `default` with `canUseTool`']],
    },
    {
      title: 'Members of a query',
      theirs: 'Theirs.Query',
      ours: 'Ours.Query',
      names: 'read',
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
      theirs: 'Theirs.SDKUserMessage',
      ours: 'Ours.SDKUserMessage',
      names: 'read',
      same: 'type uuid session_id message parent_tool_use_id',
      refused: [['options', 'use the options of the query']],
    },
    {
      title: 'Assistant messages',
      theirs: 'Theirs.SDKAssistantMessage',
      ours: 'Ours.SDKAssistantMessage',
      names: 'read',
      same: 'type uuid session_id parent_tool_use_id',
      differs: { message: 'its type has an optional `usage`' },
    },
    {
      title: 'System messages of subtype `init`',
      theirs: 'Theirs.SDKSystemMessage',
      ours: 'Ours.SDKSystemMessage',
      names: 'read',
      same: `type subtype uuid session_id cwd tools mcp_servers model permission_mode slash_commands qwen_code_version
      agents skills data`,
      differs: {
        compact_metadata: 'present only on messages of the subtype `compact_boundary`; the types enforce this',
      },
      refused: [
        ['output_style', 'there are no output styles'],
        ['capabilities', 'read `initialize()`'],
      ],
    },
    {
      title: 'Results',
      theirs: 'Theirs.SDKResultMessage',
      ours: 'Ours.SDKResultMessage',
      names: 'read',
      same: `type uuid session_id is_error duration_ms duration_api_ms num_turns result usage permission_denials error`,
      differs: {
        subtype: 'also `interrupted`, which is no error and has no `result`, and subtypes for budgets',
        modelUsage: 'its `contextWindow` is missing if it is unknown',
      },
    },
    {
      title: 'Partial messages',
      theirs: 'Theirs.SDKPartialAssistantMessage',
      ours: 'Ours.SDKPartialAssistantMessage',
      names: 'read',
      same: 'type uuid session_id event parent_tool_use_id',
    },
    {
      title: 'Members of `agents`',
      theirs: 'Theirs.SubagentConfig',
      ours: 'Ours.SubagentConfig',
      names: 'written',
      same: 'name description tools systemPrompt level filePath model runConfig color isBuiltin',
      refused: [['executionBackend', 'use `spawnProcess` to run the CLI in a container']],
    },
    {
      title: 'Members of `mcpServers`',
      theirs: 'Theirs.CLIMcpServerConfig',
      ours: 'Ours.CLIMcpServerConfig',
      names: 'written',
      same: `command args env cwd url httpUrl headers tcp timeout trust description includeTools excludeTools
      extensionName oauth authProviderType targetAudience targetServiceAccount`,
      refused: [['versionNegotiation', 'the version is always negotiated']],
    },
    {
      title: 'Exports',
      theirs: 'Theirs',
      ours: 'Ours',
      lists: 'exports',
      names: 'read',
      skips: SERVER_NAMES,
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
      refused: [['Annotation', NO_ANNOTATIONS]],
    },
    {
      title: 'Members of other types',
      intro: 'At any depth, as `Type.member` or `Type=word`. The others are the same.',
      theirs: '',
      ours: '',
      lists: 'nested',
      names: 'read',
      refused: [
        [
          'ExtendedUsage.server_tool_use ExtendedUsage.service_tier ExtendedUsage.cache_creation',
          'the provider does not report it to the CLI',
        ],
        ['MCPServerConfig.versionNegotiation', 'the version is always negotiated'],
        ['SubagentConfig.executionBackend=container', 'use `spawnProcess` to run the CLI in a container'],
        [
          'TextBlock.annotations ThinkingBlock.annotations ToolUseBlock.annotations ToolResultBlock.annotations',
          NO_ANNOTATIONS,
        ],
        [
          'Transport.waitForExit Transport.write Transport.readMessages Transport.isReady Transport.exitError',
          'a transport has the members of the type `Transport` of `@qwen/sdk`',
        ],
      ],
    },
  ],
  nested: [['Theirs', 'Ours']],
};
