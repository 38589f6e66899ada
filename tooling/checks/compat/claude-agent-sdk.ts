import type { CompatTable, Section } from './compat-table.ts';

// Every name of @anthropic-ai/claude-agent-sdk, and what it is in @qwen/sdk.

const PLUGINS_AT_START = 'plugins and skills are read when the session starts';
const NO_BACKGROUND = 'subagents run in the foreground, and their messages have `parent_tool_use_id`';
const NO_TIMING = 'the CLI does not measure it; `duration_api_ms` is the time of all model calls';
const NO_QUEUE_INFO = 'results arrive in the order of their prompts';
const NO_SPEED_MODES = 'there is only one speed; use `effort`';
const NO_SANDBOX = 'use `spawnProcess` to run the CLI in a container';
const NO_ACCOUNT_LIMITS = 'plan limits are unknown; if a limit of the provider is exceeded, the result has an error';
const NO_FALLBACK_PROMPT = 'a refusal is an ordinary answer; read `stop_reason`';

const BASE_MEMBERS = 'session_id transcript_path cwd permission_mode hook_event_name';

function hookInput(event: string, section: Omit<Section, 'title' | 'theirs' | 'ours' | 'names'>): Section {
  return {
    title: `Input of ${event} hooks`,
    theirs: `Omit<Extract<Theirs.HookInput, { hook_event_name: '${event}' }>, keyof Theirs.BaseHookInput>`,
    ours: `Ours.HookInputOf<'${event}'>`,
    names: 'read',
    ...section,
    same: `hook_event_name ${section.same ?? ''}`,
  };
}

function specificOutput(event: string, section: Omit<Section, 'title' | 'theirs' | 'ours' | 'names'>): Section {
  return {
    title: `\`hookSpecificOutput\` of ${event} hooks`,
    theirs: `Theirs.${event}HookSpecificOutput`,
    ours: `Ours.${event}HookSpecificOutput`,
    names: 'written',
    ...section,
    same: `hookEventName ${section.same ?? ''}`,
  };
}

const OPTIONS: readonly Section[] = [
  {
    title: 'Options',
    theirs: 'Theirs.Options',
    ours: 'Ours.QueryOptions',
    names: 'written',
    same: `abortController additionalDirectories agents allowedTools canUseTool continue cwd executable extraArgs
      fallbackModel forkSession hooks includePartialMessages effort maxBudgetUsd mcpServers model onElicitation
      permissionMode plugins resume sessionId resumeSessionAt skills debug stderr strictMcpConfig systemPrompt
      verbatimPrompts sessionStore sessionStoreFlush`,
    differs: {
      settingSources:
        'what widens permissions or runs, such as skills, hooks and allow rules of a project, also needs `trustProject`',
      loadTimeoutMs: 'also the limit of other calls of the store',
      env: 'merged over the environment of the app; `undefined` removes a variable',
      includeHookEvents: 'sends one `hook_event` message per hook, with its outcome',
      thinking: 'converted to an `effort`; `disabled` is refused',
      maxThinkingTokens: 'converted to an `effort`; 0 is refused',
      sandbox: 'a mode; an object with settings is refused: write a settings file',
      permissionPrompts: '`none` removes `canUseTool`',
      enableFileCheckpointing: 'true by default',
      allowDangerouslySkipPermissions: 'without effect: `permissionMode` alone decides',
      forwardSubagentText: 'without effect: messages of subagents are always forwarded',
      toolConfig: 'only `previewFormat`; without it, the model does not learn of previews',
      mcpServersDelivery: 'without effect: servers are never passed on the command line',
    },
    alias: {
      maxTurns: '`maxSessionTurns`',
      disallowedTools: '`excludeTools`',
      tools: '`coreTools`; the preset selects all tools, and a notice names those that do not exist',
      outputFormat: '`outputSchema`',
      pathToClaudeCodeExecutable: '`pathToQwenExecutable`',
      spawnClaudeCodeProcess: '`spawnProcess`',
    },
    refused: [
      ['agent', 'configure the main agent with `systemPrompt`, `model` and `coreTools`'],
      ['agentProgressSummaries perTaskStopAffordance', NO_BACKGROUND],
      ['betas', 'set `modelOptions.extraHeaders` in the user settings'],
      ['debugFile', 'write the lines of `stderr` to a file, with `debug`'],
      ['executableArgs', 'use `spawnProcess`'],
      ['managedSettings', 'use `excludeTools` and `settingSources`'],
      ['onUserDialog supportedDialogKinds', 'use `canUseTool`, `onConfirm` and `onElicitation`'],
      ['permissionPromptToolName', 'use `canUseTool`'],
      ['persistSession', 'sessions are always stored; call `deleteSession()`'],
      ['planModeInstructions', 'use `systemPrompt` with `append`'],
      ['pluginDelivery', 'name the folders in `plugins`'],
      ['projectConfigRoot', 'settings are read from `cwd`; use `settingSources`'],
      ['promptSuggestions', 'the CLI suggests no prompts'],
      ['resumeDropsTurn', 'use `resumeSessionAt`'],
      ['settings', 'write a settings file, or use options and `extraArgs`'],
      ['taskBudget', 'use `budget.tokens`'],
      ['title', 'call `renameSession()` after the first result'],
      ['toolAliases', 'exclude the tool and provide one from an MCP server'],
    ],
  },
  {
    title: 'Forms of `systemPrompt`',
    theirs: 'Exclude<Theirs.Options["systemPrompt"], string | string[] | undefined>',
    ours: 'Exclude<Ours.QueryOptions["systemPrompt"], string | readonly string[] | undefined>',
    names: 'written',
    same: 'type preset append prompt',
    differs: { snapshot: 'without effect: the prompt never changes during a session' },
    refused: [['excludeDynamicSections', 'parts of the built-in prompt cannot be left out; write your own text']],
  },
  {
    title: 'Permission modes',
    intro: 'In options, `setPermissionMode()` and permission updates.',
    theirs: 'Theirs.PermissionMode',
    ours: 'Ours.PermissionModeOption',
    lists: 'words',
    names: 'written',
    same: 'default plan',
    differs: {
      acceptEdits: 'named `auto-edit` in messages',
      bypassPermissions: 'named `yolo` in messages',
      dontAsk: 'refused in permission updates; `permission_mode` of messages is `default`',
    },
    refused: [['auto', 'no model decides which calls run; use `default` with `canUseTool`']],
  },
  {
    title: 'Members of `agents`',
    theirs: 'Theirs.AgentDefinition',
    ours: 'Ours.AgentDefinition',
    names: 'written',
    same: 'description tools disallowedTools',
    differs: { model: '`haiku`, `sonnet` and `opus` select the model of the session' },
    alias: { prompt: '`systemPrompt`', maxTurns: '`runConfig.maxTurns`' },
    refused: [
      ['mcpServers', 'subagents use the servers of the session; limit them with `tools`'],
      ['criticalSystemReminder_EXPERIMENTAL', 'write it into `prompt`'],
      ['skills', 'write the instructions into the prompt'],
      ['initialPrompt', 'the main agent is set by options'],
      ['autoCompactWindow', 'the window of the model decides'],
      ['background', NO_BACKGROUND],
      ['omitClaudeMd', 'use `settingSources`'],
      ['memory', 'subagents have no separate memory'],
      ['effort', 'use the option `effort` of the session'],
      ['permissionMode', 'subagents follow the mode of the session'],
      ['observer observerMessage', 'use hooks'],
    ],
  },
  {
    title: 'Members of `mcpServers`',
    theirs: 'Theirs.McpServerConfig',
    ours: 'Ours.McpServerConfig',
    names: 'written',
    same: 'type command args env timeout url headers name instance',
    differs: { alwaysLoad: 'without effect: tools are always offered' },
    refused: [['tools', 'add rules to `allowedTools` and `excludeTools`, or use `includeTools`']],
  },
  {
    title: 'Options of `createSdkMcpServer()`',
    theirs: 'Parameters<typeof Theirs.createSdkMcpServer>[0]',
    ours: 'Ours.CreateSdkMcpServerOptions',
    names: 'written',
    same: 'name version instructions tools',
    differs: { alwaysLoad: 'without effect: tools are always offered' },
    refused: [['timeout', 'use the option `timeout.mcpRequest` of the query']],
  },
  {
    title: 'Last argument of `tool()`',
    theirs: 'NonNullable<Parameters<typeof Theirs.tool>[4]>',
    ours: 'Ours.ToolExtras',
    names: 'written',
    same: 'annotations',
    differs: {
      searchHint: 'without effect: tools are offered by name and description',
      alwaysLoad: 'without effect: tools are always offered',
    },
  },
];

const CONTROL: readonly Section[] = [
  {
    title: 'Methods of a query',
    intro: 'A refused method rejects with `unsupported_by_cli` and this reason.',
    theirs: 'Theirs.Query',
    ours: 'Omit<Ours.Query, symbol>',
    names: 'read',
    same: `interrupt setPermissionMode setModel initializationResult reconnectMcpServer toggleMcpServer streamInput close
      next return throw supportedModels setMcpServers rewindFiles stopTask`,
    differs: {
      setMaxThinkingTokens: 'sets an effort; rejects for 0',
      supportedCommands: 'resolves with the names only',
      supportedAgents: 'resolves with the names only',
      mcpServerStatus: 'resolves with a map from name to state; `mcpServers()` resolves with a list',
      getContextUsage: '`showDetails` instead of `detail`, and names in snake_case; the same with `@qwen/sdk/claude`',
      backgroundTasks: 'resolves with whether a command moved',
      accountInfo: 'resolves with `provider`, `host` and `credential_source`',
    },
    refused: [
      ['setMcpPermissionModeOverride', 'add rules for `mcp__server` to `allowedTools` and `excludeTools`'],
      ['applyFlagSettings', 'use `setModel()`, `setPermissionMode()` and `setEffort()`'],
      ['updateSettings', 'write the settings file'],
      ['reinitialize', 'a query has one connection; use the option `resume`'],
      ['usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET', 'use `getUsageInfo()`'],
      ['readFile', 'read the file with `node:fs`'],
      ['reloadPlugins', PLUGINS_AT_START],
      ['reloadSkills', '`supportedCommands()` reads command files again'],
      ['reloadOutputStyles', 'there are no output styles; use `systemPrompt`'],
      ['seedReadState', 'edits do not require an earlier read'],
      ['readMcpResource', 'connect to the server with an MCP client'],
    ],
  },
  {
    title: 'Context of `canUseTool`',
    theirs: 'Parameters<Theirs.CanUseTool>[2]',
    ours: 'Ours.CanUseToolContext',
    names: 'read',
    same: 'signal toolUseID decisionReason agentID requestId',
    differs: {
      suggestions: 'null if there are none; with `toolNames: "claude"` permission updates',
      blockedPath: 'null if there is none',
    },
    refused: [
      ['mcpServer', 'the tool name contains the server: `mcp__server__tool`'],
      ['title displayName description', 'build the question from the tool name, the input and `reason`'],
      ['defaultToNo suppressAlwaysAllowRule', 'offer only what `suggestions` contains'],
      ['matchedAskRule', 'read `reason`, or `explainPermission()`'],
    ],
  },
  {
    title: 'Answers of `canUseTool`',
    theirs: 'Theirs.PermissionResult',
    ours: 'Ours.PermissionResult',
    names: 'written',
    same: 'behavior updatedInput updatedPermissions message interrupt',
    differs: {
      toolUseID: 'without effect: an answer always applies to its own call',
      decisionClassification: 'without effect: only `updatedPermissions` is stored',
    },
  },
  {
    title: 'Permission updates',
    theirs: 'Theirs.PermissionUpdate',
    ours: 'Ours.PermissionUpdate',
    names: 'written',
    same: 'type rules behavior destination mode',
    refused: [['directories', 'set the directories when the session starts; such an update denies the call']],
  },
];

const HOOKS: readonly Section[] = [
  {
    title: 'Hook events',
    theirs: 'Theirs.HookEvent',
    ours: 'Ours.HookEvent',
    lists: 'words',
    names: 'written',
    same: `PreToolUse Notification UserPromptSubmit SessionStart SessionEnd Stop SubagentStop PreCompact
      PermissionRequest SubagentStart`,
    differs: {
      PostToolUse: 'also after a tool has failed, with `is_error`',
      PostToolUseFailure: 'after `PostToolUse`, not instead of it',
    },
    refused: [
      ['PostToolBatch', 'use `PostToolUse`'],
      ['UserPromptExpansion', 'use `UserPromptSubmit`'],
      ['StopFailure', 'read the error of the result'],
      ['PostCompact', 'read the message `compact_boundary`'],
      ['PreModelSwitch', 'read the message `model_fallback`'],
      ['PostModelSwitch', 'read the message `model_changed`'],
      ['PermissionDenied', 'read `permission_denials` of the result'],
      ['Setup', 'use `SessionStart`'],
      ['TeammateIdle', 'there are no teams of agents'],
      ['TaskCreated TaskCompleted', 'there is no shared task list; use `PostToolUse` with the matcher `TodoWrite`'],
      ['Elicitation ElicitationResult', 'use `onElicitation`'],
      ['ConfigChange', 'settings are read at the start'],
      ['WorktreeCreate WorktreeRemove', 'create the worktree and set `cwd`'],
      ['InstructionsLoaded', 'use `SessionStart`'],
      ['CwdChanged', 'the working directory of a session does not change'],
      ['FileChanged', 'files are not watched'],
      ['DirectoryAdded', 'directories are set when the session starts'],
      ['MessageDisplay', 'read the messages of the query'],
      ['PreSkillShellCommand', 'use `excludeTools` and `onConfirm`, which decide about commands in `!{…}`'],
    ],
  },
  {
    title: 'Members of a hook matcher',
    theirs: 'Theirs.HookCallbackMatcher',
    ours: 'Ours.HookCallbackMatcher',
    names: 'written',
    same: 'matcher hooks timeout',
    alias: { onFailure: '`blocking`; without either, a failure of `PreToolUse` and `UserPromptSubmit` blocks' },
  },
  {
    title: 'Input of all hooks',
    theirs: 'Theirs.BaseHookInput',
    ours: 'Ours.PreToolUseHookInput',
    names: 'read',
    same: `${BASE_MEMBERS.replace('hook_event_name', '')} agent_id agent_type`,
    refused: [
      ['prompt_id', 'use `session_id` and the order of prompts'],
      ['effort', 'use `getInitialEffortStatus()`'],
    ],
  },
  hookInput('PreToolUse', {
    same: 'tool_name tool_input tool_use_id',
    refused: [['mcp_server', 'the tool name contains the server: `mcp__server__tool`']],
  }),
  hookInput('PostToolUse', {
    same: 'tool_name tool_input tool_use_id',
    differs: {
      tool_response:
        'the text for the model, unless the matcher has the tool name of Claude Code; `tool_use_result` is structured',
    },
    refused: [
      ['duration_ms', 'measure between `PreToolUse` and `PostToolUse`'],
      ['mcp_server', 'the tool name contains the server: `mcp__server__tool`'],
    ],
  }),
  hookInput('UserPromptSubmit', {
    same: 'prompt',
    refused: [
      ['source', 'all prompts come from the app'],
      ['session_title', 'use `listSessions()`'],
    ],
  }),
  hookInput('Stop', {
    same: 'stop_hook_active last_assistant_message',
    refused: [['background_tasks session_crons', NO_BACKGROUND]],
  }),
  hookInput('SubagentStop', {
    same: 'stop_hook_active last_assistant_message',
    refused: [
      ['agent_transcript_path', 'read the messages with this `parent_tool_use_id`'],
      ['background_tasks session_crons', NO_BACKGROUND],
    ],
  }),
  hookInput('SessionStart', {
    same: 'source',
    refused: [
      ['model', 'read `init`'],
      ['session_title', 'use `listSessions()`'],
      [
        'seconds_since_last_response context_tokens prompt_cache_likely_expired estimated_cache_write_usd',
        'use `getContextUsage()`',
      ],
    ],
  }),
  hookInput('SessionEnd', { same: 'reason' }),
  hookInput('PreCompact', {
    same: 'trigger',
    refused: [['custom_instructions', 'there are no custom instructions']],
  }),
  hookInput('Notification', {
    same: 'message notification_type',
    refused: [['title', 'use `notification_type`']],
  }),
  {
    title: 'Output of hooks',
    theirs: 'Theirs.HookJSONOutput',
    ours: 'Ours.HookJSONOutput',
    names: 'written',
    same: `async asyncTimeout continue suppressOutput stopReason decision systemMessage reason hookSpecificOutput`,
    refused: [['terminalSequence', 'the CLI does not write to a terminal; a hook that returns it fails']],
  },
  specificOutput('PreToolUse', { same: 'permissionDecision permissionDecisionReason updatedInput additionalContext' }),
  {
    title: 'Decisions of PreToolUse hooks',
    theirs: 'Theirs.HookPermissionDecision',
    ours: 'Ours.HookPermissionDecision',
    lists: 'words',
    names: 'written',
    same: 'allow deny ask',
    refused: [['defer', 'deferring is not supported; such an answer blocks the call']],
  },
  specificOutput('PostToolUse', {
    same: 'additionalContext updatedToolOutput updatedMCPToolOutput',
    refused: [['classifierContext', 'no model decides which calls run; the result is withheld']],
  }),
  specificOutput('UserPromptSubmit', {
    same: 'additionalContext',
    refused: [
      ['sessionTitle', 'use `renameSession()`'],
      ['suppressOriginalPrompt', 'the prompt is always sent; block it instead'],
    ],
  }),
  specificOutput('SessionStart', {
    same: 'additionalContext',
    refused: [
      ['initialUserMessage', 'send it as a prompt'],
      ['sessionTitle', 'use `renameSession()`'],
      ['watchPaths', 'files are not watched'],
      ['reloadSkills', 'skills are read when the session starts'],
    ],
  }),
];

const MESSAGES: readonly Section[] = [
  {
    title: 'Messages',
    intro: 'By `type` and `subtype`. A refused message is never sent.',
    theirs: 'Kind<Theirs.SDKMessage>',
    ours: 'Kind<Ours.SDKMessage>',
    lists: 'words',
    names: 'read',
    same: `assistant user result/success result/error_during_execution result/error_max_turns
      result/error_max_budget_usd system/init stream_event system/compact_boundary system/mirror_error
      system/task_started system/task_progress system/task_notification`,
    alias: {
      'result/error_max_structured_output_retries': '`result/error_output_schema`',
      'system/status': '`system/permission_mode_changed`; `compact_boundary` reports a compaction',
      'system/api_retry': '`system/retry`, with `data.attempt` and `data.delay_ms`',
      'system/hook_started': '`system/hook_event`, once per hook',
      'system/hook_progress': '`system/hook_event`, once per hook',
      'system/hook_response': '`system/hook_event`, with `data.outcome`',
      'system/notification': '`system/notice`, with `data.code` and `data.message`',
      'system/informational': '`system/notice`, with `data.code` and `data.message`',
      'system/local_command_output': '`system/notice`, or the text of the result',
      conversation_reset: '`system/history_changed`',
    },
    refused: [
      ['system/control_request_progress', 'control requests to the app are not retried'],
      ['system/model_refusal_fallback system/model_refusal_no_fallback', NO_FALLBACK_PROMPT],
      ['system/permission_denied', 'read `permission_denials` of the result, or the error result of the call'],
      ['system/plugin_install', 'plugins are not installed; name their folders in `plugins`'],
      ['tool_progress', 'a call is one `tool_use` block and one `tool_result` block'],
      ['auth_status', 'a missing key is an error at the start'],
      [
        'system/task_updated system/background_tasks_changed',
        'read `system/task_started` and `system/task_notification`',
      ],
      [
        'system/thinking_tokens',
        'read `usage.reasoning_output_tokens`, or thinking blocks with `includePartialMessages`',
      ],
      ['system/session_state_changed', 'a turn runs from `init` to `result`'],
      ['system/worker_shutting_down', 'await `query.closed`'],
      ['system/commands_changed', 'call `supportedCommands()`'],
      ['system/files_persisted', 'files are written to disk when a tool returns'],
      ['tool_use_summary', 'summarize `tool_use` blocks in the app'],
      ['system/memory_recall', 'there is no memory other than instruction files'],
      ['rate_limit_event', NO_ACCOUNT_LIMITS],
      ['system/elicitation_complete', '`onElicitation` answers forms; there are no URLs to open'],
      ['prompt_suggestion', 'the CLI suggests no prompts'],
      ['system/session_writes_lost', 'see `system/notice`'],
    ],
  },
  {
    title: 'Members of `assistant`',
    theirs: 'Theirs.SDKAssistantMessage',
    ours: 'Ours.SDKAssistantMessage',
    names: 'read',
    same: 'type message parent_tool_use_id uuid session_id',
    refused: [
      ['error', 'read `error` of the result'],
      ['request_id', 'use `message.id`'],
      ['user_message_uuid user_message_uuids resume_reason', 'answers follow their prompt, up to the result'],
      ['resumed_from_incomplete_thinking supersedes aborted', 'an answer is yielded once, when it is complete'],
      ['agent_id subagent_type task_description', 'find the `tool_use` block with the id `parent_tool_use_id`'],
      ['timestamp', 'use the time of arrival'],
      ['context_usage usage_report', 'use `getContextUsage()` and `getUsageInfo()`'],
    ],
  },
  {
    title: 'Members of `user`',
    theirs: 'Extract<Theirs.SDKMessage, { type: "user" }>',
    ours: 'Ours.SDKUserMessage',
    names: 'read',
    same: 'type message parent_tool_use_id uuid session_id',
    differs: {
      tool_use_result: 'missing for most calls that failed; `toolResultOf()` returns it with its type',
      priority: 'default `later`; `now` waits for the running tools; call `interrupt()` to stop them',
    },
    refused: [
      ['isSynthetic origin client_composed', 'only tool results are yielded, not prompts of the app'],
      ['shouldQuery', 'every prompt is answered'],
      ['timestamp', 'use the time of arrival'],
      ['pasted_content inline_pastes file_attachments', 'write text and images as blocks of `message.content`'],
      ['agent_id subagent_type task_description', 'find the `tool_use` block with the id `parent_tool_use_id`'],
      ['isReplay', 'messages of a resumed session are not replayed; use `getSessionMessages()`'],
    ],
  },
  {
    title: 'Members of `result`',
    theirs: 'Extract<Theirs.SDKMessage, { type: "result" }>',
    ours: 'Ours.SDKResultMessage',
    names: 'read',
    same: `type subtype duration_ms duration_api_ms is_error num_turns result usage modelUsage permission_denials
      structured_output terminal_reason uuid session_id`,
    differs: {
      total_cost_usd: 'missing if the price of a model is unknown',
      errors: 'with `toolNames: "claude"`; otherwise `error.message`',
    },
    alias: {
      api_error_status: '`error.code`',
      startup_failure_reason: '`error.code`',
    },
    refused: [
      [
        `ttft_ms ttft_stream_ms time_to_request_ms request_sent_wall_ms first_content_frame_ms first_stream_post_ms
          first_stream_post_ack_ms first_stream_post_queue_wait_ms first_stream_post_queued_behind
          first_stream_post_wall_ms first_text_post_ms first_text_post_queue_wait_ms first_text_post_queued_behind
          first_text_post_wall_ms time_to_request_from_spawn_ms warm_spare_claimed time_origin_ms`,
        NO_TIMING,
      ],
      ['user_message_uuid user_message_uuids resume_reason queued_turn_count result_index origin', NO_QUEUE_INFO],
      ['local_command', 'commands that need no model have an ordinary result'],
      ['stop_reason', 'read it from the last `assistant` message'],
      ['deferred_tool_use', 'deferring is not supported'],
      ['credential_expires_at', 'the CLI renews tokens itself'],
      ['fast_mode_state fast_mode_disabled_reason', NO_SPEED_MODES],
      ['invalid_config_file', 'run `qwen doctor`, which checks the settings files'],
    ],
  },
  {
    title: 'Members of `modelUsage`',
    theirs: 'Theirs.ModelUsage',
    ours: 'Ours.ModelUsage',
    names: 'read',
    same: 'inputTokens outputTokens cacheReadInputTokens cacheCreationInputTokens',
    differs: {
      costUSD: 'missing if the price of the model is unknown',
      webSearchRequests: 'always 0: the provider is never asked to search',
      contextWindow: 'missing if it is unknown',
    },
    alias: { thinkingTokens: '`reasoningTokens`' },
    refused: [
      [
        'cacheCreationEphemeral5mInputTokens cacheCreationEphemeral1hInputTokens',
        'their sum is `cacheCreationInputTokens`',
      ],
      ['maxOutputTokens', 'limits of models are not read from the provider'],
      ['canonicalModel provider costBasis', 'use the key of `modelUsage`, and `accountInfo()`'],
    ],
  },
  {
    title: 'Members of `permission_denials`',
    theirs: 'Theirs.SDKPermissionDenial',
    ours: 'Ours.SDKPermissionDenial',
    names: 'read',
    same: 'tool_name tool_use_id tool_input',
  },
  {
    title: 'Members of `init`',
    theirs: 'Theirs.SDKSystemMessage',
    ours: 'Extract<Ours.SDKSystemMessage, { subtype: "init" }>',
    names: 'read',
    same: 'type subtype agents cwd tools mcp_servers model plugins skills slash_commands uuid session_id',
    differs: { permissionMode: 'with `toolNames: "claude"`; otherwise `permission_mode`' },
    alias: { claude_code_version: '`qwen_code_version`' },
    refused: [
      ['apiKeySource', 'use `accountInfo()`'],
      ['betas', 'set `modelOptions.extraHeaders` in the user settings'],
      ['terminal_slash_commands', 'all `slash_commands` work in the SDK'],
      ['output_style', 'there are no output styles'],
      ['plugin_errors', 'a plugin that cannot be loaded ends the query with `invalid_settings`'],
      ['fast_mode_state fast_mode_disabled_reason', NO_SPEED_MODES],
      ['effort', 'use `getInitialEffortStatus()`'],
      ['view_mode', 'the SDK has no view'],
      ['capabilities', 'read `capabilities` of `initialize()`'],
    ],
  },
  {
    title: 'Members of `stream_event`',
    theirs: 'Theirs.SDKPartialAssistantMessage',
    ours: 'Ours.SDKPartialAssistantMessage',
    names: 'read',
    same: 'type event parent_tool_use_id uuid session_id',
    refused: [
      ['ttft_ms', NO_TIMING],
      ['user_message_uuid user_message_uuids resume_reason', 'answers follow their prompt, up to the result'],
    ],
  },
  {
    title: 'Members of `compact_boundary`',
    theirs: 'Theirs.SDKCompactBoundaryMessage',
    ours: 'Ours.SDKCompactBoundaryMessage',
    names: 'read',
    same: 'type subtype compact_metadata uuid session_id',
  },
  {
    title: 'Members of a model of `supportedModels()`',
    theirs: 'Theirs.ModelInfo',
    ours: 'Ours.ModelInfo',
    names: 'read',
    same: 'value displayName description',
    refused: [
      ['resolvedModel', 'names are not resolved: `value` is the name that the provider uses'],
      ['supportsEffort supportedEffortLevels supportsAdaptiveThinking', 'use `setEffortStatus()`'],
      ['supportsFastMode supportsAutoMode', NO_SPEED_MODES],
    ],
  },
];

const NOT_STAGED = 'a call that succeeds has changed the file';
const READ_GIT = 'read the output of `git`';

function toolResult(name: string, theirs: string, section: Pick<Section, 'same' | 'differs' | 'alias' | 'refused'>) {
  const [claudeName = '', ownName = ''] = name.split(' ');
  const ours = `Ours.ToolResultOf<'${ownName}'>`;
  return {
    title: `\`tool_use_result\` of \`${claudeName}\``,
    theirs: theirs.startsWith('Extract') ? theirs : `TheirTools.${theirs}`,
    ours: theirs.endsWith("['file']") ? `Extract<${ours}, { type: 'text' }>['file']` : ours,
    names: 'read',
    ...section,
  } as const;
}

const TOOL_RESULTS: readonly Section[] = [
  toolResult('Bash run_shell_command', 'BashOutput', {
    same: 'interrupted persistedOutputPath backgroundTaskId',
    differs: {
      stdout: 'with what the command wrote to stderr, in the order of writing',
      stderr: 'errors of the sandbox',
    },
    refused: [
      [
        `backgroundedByUser timedOutAfterMs backgroundCwdHint backgroundEndsWithFinalResponse
        backgroundWakesOwner`,
        'see `backgroundTaskId` and `timedOut`',
      ],
      ['rawOutputPath isImage structuredContent', 'output is text'],
      ['returnCodeInterpretation noOutputExpected', 'read `exitCode` and `signal`'],
      ['persistedOutputSize', 'read the size of the file `persistedOutputPath`'],
      ['dangerouslyDisableSandbox', 'read the input of the call'],
      ['staleReadFileStateHint', 'an edit of a file that changed after it was read fails'],
      ['ghRateLimitHint gitOperation', READ_GIT],
    ],
  }),
  toolResult('Read read_file', "Extract<TheirTools.FileReadOutput, { type: 'text' }>['file']", {
    same: 'filePath content numLines startLine',
    differs: { totalLines: 'missing if more lines follow' },
    refused: [['truncatedByTokenCap', 'if more lines follow, `totalLines` is missing']],
  }),
  toolResult('Write write_file', 'FileWriteOutput', {
    same: 'type filePath content structuredPatch originalFile userModified',
    refused: [
      ['gitDiff', 'use `structuredPatch`'],
      ['staged', NOT_STAGED],
    ],
  }),
  toolResult('Edit edit', 'FileEditOutput', {
    same: 'filePath structuredPatch originalFile userModified',
    differs: {
      oldString: 'of several changes, that of the first; empty for a patch',
      newString: 'of several changes, that of the first; empty for a patch',
      replaceAll: 'of several changes, that of the first',
    },
    refused: [
      ['gitDiff', 'use `structuredPatch`'],
      ['staged', NOT_STAGED],
    ],
  }),
  toolResult('Glob glob', 'GlobOutput', {
    same: 'durationMs numFiles filenames truncated totalMatches countIsComplete',
    refused: [['timedOut', 'searches are limited by the number of files']],
  }),
  toolResult('Grep grep_search', 'GrepOutput', {
    same: 'numFiles content numLines numMatches',
    differs: {
      mode: 'never `count`',
      filenames: 'also with the mode `content`',
    },
    refused: [
      ['totalFiles totalLines appliedLimit timedOut', 'read `truncated`'],
      ['appliedOffset', 'results start with the first match'],
    ],
  }),
  toolResult('TodoWrite todo_write', 'TodoWriteOutput', {
    differs: { newTodos: 'with `id` instead of `activeForm`' },
    refused: [['oldTodos', 'the list before is that of the previous call']],
  }),
  toolResult('AskUserQuestion ask_user_question', 'AskUserQuestionOutput', {
    same: 'questions answers response annotations',
    refused: [['afkTimeoutMs', 'a question that is not answered in time is denied']],
  }),
  toolResult('ExitPlanMode exit_plan_mode', 'ExitPlanModeOutput', {
    same: 'plan planWasEdited',
    refused: [
      ['isAgent hasTaskTool', 'read `parent_tool_use_id` of the message'],
      ['filePath', 'plans are not saved'],
      ['awaitingLeaderApproval requestId', 'the user approves plans'],
    ],
  }),
  toolResult('Task task', "Extract<TheirTools.AgentOutput, { status: 'completed' }>", {
    same: 'agentType content totalToolUseCount totalDurationMs totalTokens prompt',
    differs: {
      status: '`failed` or `cancelled` too, with `reason`',
      agentId: 'the id of the call',
      usage: 'with the members of `usage` of `result`',
    },
    refused: [
      ['resolvedModel modelsUsed', 'read `model` of the messages of the subagent'],
      ['toolsUsed toolStats', 'count the `tool_use` blocks of the subagent'],
      ['worktreePath worktreeBranch', 'subagents work in the folder of the session'],
    ],
  }),
];

const EXPORTS: readonly Section[] = [
  {
    title: 'Exports',
    intro: 'Values and types. The compiler reports an import that is refused; so does Node.js, for values.',
    theirs: 'Theirs',
    ours: 'Ours',
    lists: 'exports',
    names: 'read',
    same: `createSdkMcpServer deleteSession forkSession query renameSession tool AbortError AgentDefinition
      AsyncHookJSONOutput BaseHookInput CanUseTool ElicitationRequest ElicitationResult HOOK_EVENTS HookCallback
      HookCallbackMatcher HookEvent HookInput HookJSONOutput HookPermissionDecision JsonSchemaOutputFormat
      McpHttpServerConfig McpSdkServerConfig McpSdkServerConfigWithInstance McpServerConfig
      McpServerConfigForProcessTransport McpSSEServerConfig McpStdioServerConfig ModelInfo ModelUsage NonNullableUsage
      NotificationHookInput OnElicitation Options OutputFormat OutputFormatType PermissionBehavior
      PermissionDecisionClassification PermissionResult PermissionRuleValue PermissionUpdate
      PermissionUpdateDestination PostToolUseHookInput PostToolUseHookSpecificOutput PreCompactHookInput
      PreToolUseHookInput PreToolUseHookSpecificOutput Query SDKAssistantMessage SDKCompactBoundaryMessage
      SDKControlRequest SDKControlResponse SdkMcpToolDefinition SDKMessage SDKPartialAssistantMessage
      SDKPermissionDenial SDKResultError SDKResultMessage SDKResultSuccess SDKSystemMessage SDKUserMessage
      SessionEndHookInput SessionStartHookInput SessionStartHookSpecificOutput SettingSource StopHookInput
      SubagentStopHookInput SyncHookJSONOutput ThinkingAdaptive ThinkingConfig ThinkingEnabled
      UserPromptSubmitHookInput UserPromptSubmitHookSpecificOutput WarmQuery EffortLevel
      McpSetServersResult RewindFilesResult InMemorySessionStore SessionStore SessionStoreEntry SessionStoreFlush SessionKey
      importSessionToStore ImportSessionToStoreOptions SDKMirrorErrorMessage`,
    differs: {
      startup: 'takes the options directly, without a wrapper',
      listSessions: 'resolves with a page: `sessions` and `next_cursor`; `cwd` instead of `dir`',
      getSessionMessages: 'resolves with a page: `messages` and `next_cursor`',
      ListSessionsOptions: '`cwd` instead of `dir`, `cursor` instead of `offset`',
      ForkSessionOptions: '`newSessionId` instead of `title`',
      AccountInfo: '`provider`, `host` and `credential_source`',
      PermissionMode: 'only the mode names of qwen; `PermissionModeOption` also has the others',
      Transport: 'another interface: pairs of lines; see Run the CLI elsewhere',
      SpawnedProcess: 'only the members that a query needs; any `ChildProcess` has them',
    },
    alias: {
      AgentInfo: '`supportedAgents`, which resolves with names',
      BUILTIN_TOOL_NAMES: '`TOOL_INPUT_SCHEMAS`, whose keys are names; `tools` of `init` has those of the session',
      PermissionRequestHookInput: '`HookInputOf` of the event',
      PermissionRequestHookSpecificOutput: '`HookOutput`, its `hookSpecificOutput`',
      PostToolUseFailureHookInput: '`HookInputOf` of the event',
      PostToolUseFailureHookSpecificOutput: '`HookOutput`, its `hookSpecificOutput`',
      SubagentStartHookInput: '`HookInputOf` of the event',
      SubagentStartHookSpecificOutput: '`HookOutput`, its `hookSpecificOutput`',
      ForkSessionResult: '`SessionInfo`, with `session_id`',
      GetSessionMessagesOptions: '`PageOptions`',
      McpServerStatus: '`McpServerState`',
      SDKAPIRetryMessage: '`SDKSystemMessage` with the subtype `retry`',
      SDKControlGetContextUsageResponse: '`ContextUsage`',
      SDKControlInitializeResponse: '`InitializeResult`',
      SDKControlGetUsageResponse: '`UsageInfo`',
      SDKHookProgressMessage: '`SDKSystemMessage` with the subtype `hook_event`',
      SDKHookResponseMessage: '`SDKSystemMessage` with the subtype `hook_event`',
      SDKHookStartedMessage: '`SDKSystemMessage` with the subtype `hook_event`',
      SDKInformationalMessage: '`SDKSystemMessage` with the subtype `notice`',
      SDKNotificationMessage: '`SDKSystemMessage` with the subtype `notice`',
      SDKLocalCommandOutputMessage: '`SDKSystemMessage` with the subtype `notice`',
      SDKTaskStartedMessage: '`SDKSystemMessage` with the subtype `task_started`',
      SDKTaskProgressMessage: '`SDKSystemMessage` with the subtype `task_progress`',
      SDKTaskNotificationMessage: '`SDKSystemMessage` with the subtype `task_notification`',
      SDKStatusMessage: '`SDKSystemMessage` with the subtype `permission_mode_changed`',
      SDKConversationResetMessage: '`SDKSystemMessage` with the subtype `history_changed`',
      SDKSessionInfo: '`SessionInfo`, with names in snake_case',
      SDKContextUsage: '`ContextUsage`',
      SDKContextUsageCategory: '`ContextUsage`',
      SDKUsageReport: '`UsageInfo`',
      SDKUserMessageReplay: '`getSessionMessages`: messages are not replayed',
      SessionMessage: '`SDKMessage`, of `getSessionMessages()`',
      SessionMutationOptions: '`StoreOptions`',
      SlashCommand: '`supportedCommands`, which resolves with names',
      SpawnOptions: '`SpawnRequest`; the query ends the process with `kill()` instead of an abort signal',
      SdkPluginConfig: '`PluginConfig`',
      prewarm: '`startup`, or `createPool()`',
      SpareProcess: '`WarmQuery`',
      ClaimOptions: '`QueryPoolOptions`',
    },
    refused: [
      ['archiveSession unarchiveSession tagSession', 'sessions have a title: use `renameSession()`'],
      ['getSessionInfo GetSessionInfoOptions', 'find the session in `listSessions()`'],
      [
        'getSubagentMessages listSubagents GetSubagentMessagesOptions ListSubagentsOptions',
        'messages of subagents are in `getSessionMessages()`, with `parent_tool_use_id`',
      ],
      ['SessionSummaryEntry foldSessionSummary', 'lists read the sessions of their page from the store'],
      [
        `resolveSettings filterEscalatingDefaultMode ResolvedSettings ResolvedSettingSource ResolveSettingsOptions
          ProvenanceEntry PolicySettingsOrigin Settings`,
        'run `qwen doctor`, and see docs/settings.md',
      ],
      ['matchDeniedModels DeniedModelsMatch', 'use `supportedModels()`'],
      [
        `ORG_POLICY_LIMIT_PREFIXES USAGE_LIMIT_ERROR_PREFIXES USAGE_TRANSITION_PREFIXES USAGE_WARNING_PREFIXES
          SDKRateLimitEvent SDKRateLimitInfo`,
        NO_ACCOUNT_LIMITS,
      ],
      ['EXIT_REASONS ExitReason', 'read `reason` of `SessionEnd`'],
      ['LEGACY_TOOL_NAME_ALIASES', 'rules accept all common names of a tool'],
      ['SYSTEM_PROMPT_DYNAMIC_BOUNDARY', 'providers cache prompts without a marker'],
      ['AgentMcpServerSpec', 'subagents use the servers of the session'],
      ['AnyZodRawShape InferShape', 'use `InputSchema` and `ToolArguments`'],
      ['ApiKeySource ConfigScope', 'use `accountInfo()`'],
      ['BackgroundTaskSummary SessionCronSummary SDKBackgroundTasksChangedMessage', NO_BACKGROUND],
      ['SDKTaskUpdatedMessage SDKToolProgressMessage', 'the message is never sent; see Messages'],
      ['BaseOutputFormat', 'use `OutputFormat`'],
      [
        `ConfigChangeHookInput CwdChangedHookInput CwdChangedHookSpecificOutput DirectoryAddedHookInput
          ElicitationHookInput ElicitationHookSpecificOutput ElicitationResultHookInput
          ElicitationResultHookSpecificOutput FileChangedHookInput FileChangedHookSpecificOutput
          InstructionsLoadedHookInput MessageDisplayHookInput MessageDisplayHookSpecificOutput
          PermissionDeniedHookInput PermissionDeniedHookSpecificOutput PostCompactHookInput PostModelSwitchHookInput
          PostModelSwitchHookSpecificOutput PostToolBatchHookInput PostToolBatchHookSpecificOutput
          PostToolBatchToolCall PreModelSwitchHookInput PreModelSwitchHookSpecificOutput
          PreSkillShellCommandHookInput PreSkillShellCommandHookSpecificOutput SetupHookInput
          SetupHookSpecificOutput StopFailureHookInput TaskCompletedHookInput TaskCreatedHookInput
          TeammateIdleHookInput UserPromptExpansionHookInput
          UserPromptExpansionHookSpecificOutput WorktreeCreateHookInput WorktreeCreateHookSpecificOutput
          WorktreeRemoveHookInput`,
        'the event does not exist; see Hook events',
      ],
      [
        'NotificationHookSpecificOutput StopHookSpecificOutput SubagentStopHookSpecificOutput',
        'these hooks have no `hookSpecificOutput`; use `decision` and `reason`',
      ],
      ['FastModeDisabledReason FastModeState', NO_SPEED_MODES],
      ['McpClaudeAIProxyServerConfig', 'use a server of type `http`'],
      ['McpServerProvenance McpServerStatusConfig McpServerToolPolicy', 'use `mcpServers()` of a query, and rules'],
      ['OnUserDialog UserDialogRequest UserDialogResult', 'use `canUseTool`, `onConfirm` and `onElicitation`'],
      [
        'SandboxCredentialsConfig SandboxFilesystemConfig SandboxIgnoreViolations SandboxNetworkConfig SandboxSettings',
        NO_SANDBOX,
      ],
      [
        `SDKActiveGoalMessage SDKAuthStatusMessage SDKCommandsChangedMessage SDKControlRequestProgressMessage
          SDKElicitationCompleteMessage SDKFilesPersistedEvent SDKMemoryRecallMessage
          SDKModelRefusalFallbackMessage SDKModelRefusalNoFallbackMessage SDKPermissionDeniedMessage
          SDKPluginInstallMessage SDKPromptSuggestionMessage SDKSessionStateChangedMessage
          SDKSessionWritesLostMessage SDKThinkingTokensMessage SDKToolUseSummaryMessage
          SDKWorkerShuttingDownMessage`,
        'the message is never sent; see Messages',
      ],
      ['SDKAssistantMessageError SDKStartupFailureReason SDKSettingsParseError', 'read `error.code` of the result'],
      ['SDKControlInterruptResponse', '`interrupt()` resolves with no value; queued prompts are still answered'],
      [
        'SDKControlListPermissionRulesResponse SDKControlPermissionRulesState SDKPermissionRuleDescription SDKPermissionRuleEntry',
        'use `explainPermission()`',
      ],
      ['SDKControlMcpReadResourceResponse SDKMcpResourceLink', 'connect to the server with an MCP client'],
      [
        'SDKControlSetPermissionModeResponse',
        '`setPermissionMode()` resolves with no value; the next `init` has the mode',
      ],
      ['SDKControlReadFileResponse', 'read the file with `node:fs`'],
      [
        'SDKControlReloadOutputStylesResponse SDKControlReloadPluginsResponse SDKControlReloadSkillsResponse',
        PLUGINS_AT_START,
      ],
      ['SDKDeferredToolUse', 'deferring is not supported'],
      ['SDKMessageOrigin', 'all prompts come from the app'],
      ['SDKPermissionWorkspaceDirectory', 'directories are set when the session starts'],
      ['SDKStatus', 'read `init` and `result`'],
      ['SdkBeta', 'set `modelOptions.extraHeaders` in the user settings'],
      ['TerminalReason', '`terminal_reason` is a string'],
      ['ThinkingDisabled', 'thinking cannot be disabled; use `effort`'],
      ['ToolConfig', 'only `previewFormat` exists; use the type of the option `toolConfig`'],
    ],
  },
  {
    title: 'Types of tools',
    intro: 'Exports of `@anthropic-ai/claude-agent-sdk/sdk-tools` and `@qwen/sdk/claude/sdk-tools`.',
    theirs: 'TheirTools',
    ours: 'SameTools',
    lists: 'exports',
    names: 'read',
    same: `AgentInput AgentOutput AskUserQuestionInput AskUserQuestionOutput BashInput BashOutput ExitPlanModeInput
      ExitPlanModeOutput FileEditInput FileEditOutput FileReadInput FileReadOutput FileWriteInput FileWriteOutput
      GlobInput GlobOutput GrepInput GrepOutput TaskStopInput TaskStopOutput TodoWriteInput TodoWriteOutput
      WebFetchInput WebFetchOutput WebSearchInput WebSearchOutput`,
    alias: {
      ToolInputSchemas: '`ToolInputOf` of `@qwen/sdk`',
      ToolOutputSchemas: '`ToolResultOf` of `@qwen/sdk`',
    },
    refused: [
      [
        'ListMcpResourcesInput ListMcpResourcesOutput ReadMcpResourceInput ReadMcpResourceOutput ReadMcpResourceDirInput ReadMcpResourceDirOutput',
        'resources are `@` references in prompts',
      ],
      ['McpInput McpOutput RefreshMcpToolsInput RefreshMcpToolsOutput', 'each tool of a server has a separate name'],
      [
        'TaskCreateInput TaskCreateOutput TaskGetInput TaskGetOutput TaskListInput TaskListOutput TaskUpdateInput TaskUpdateOutput',
        'there is no shared task list; use `TodoWrite`',
      ],
      ['NotebookEditInput NotebookEditOutput', 'a notebook is edited as a text file, with `Edit`'],
      ['EnterPlanModeInput EnterPlanModeOutput', 'the app sets the mode `plan`'],
      [
        'EnterWorktreeInput EnterWorktreeOutput ExitWorktreeInput ExitWorktreeOutput',
        'create the worktree and set `cwd`',
      ],
      ['MonitorInput MonitorOutput ScheduleWakeupInput ScheduleWakeupOutput', 'use background commands'],
      [
        `ArtifactInput ArtifactOutput ClaudeDesignInput ClaudeDesignOutput CronCreateInput CronCreateOutput
          CronDeleteInput CronDeleteOutput CronListInput CronListOutput OfferChromeSetupInput OfferChromeSetupOutput
          ProjectsInput ProjectsOutput ProposeGoalInput ProposeGoalOutput ProposeSkillsInput ProposeSkillsOutput
          PushNotificationInput PushNotificationOutput ReadNotificationsInput ReadNotificationsOutput
          RemoteTriggerInput RemoteTriggerOutput ReportFindingsInput ReportFindingsOutput SendFeedbackInput
          SendFeedbackOutput ShowOnboardingRolePickerInput ShowOnboardingRolePickerOutput WorkflowInput
          WorkflowOutput`,
        'the tool does not exist; add one with `tool()`',
      ],
    ],
  },
  {
    title: 'Members of other types',
    intro:
      'Members and words at any depth that `@qwen/sdk/claude` does not have, as `Type.member` or `Type=word`. The others are the same. Members of a refused name are not listed.',
    theirs: 'never',
    ours: 'never',
    lists: 'nested',
    names: 'read',
    refused: [
      ['AccountInfo.email AccountInfo.organization AccountInfo.subscriptionType', 'the provider does not report it'],
      ['AgentInput.model AgentInput.effort', 'an agent has the model of its definition'],
      [
        'AgentInput.run_in_background AgentOutput.status=async_launched AgentOutput.status=remote_launched',
        NO_BACKGROUND,
      ],
      ['AgentInput.name AgentInput.team_name', 'there are no teams of agents'],
      ['AgentInput.mode', 'subagents follow the mode of the session'],
      ['AgentInput.isolation', 'subagents work in the folder of the session'],
      ['AgentOutput.content.citations', 'results of subagents have no citations'],
      [
        `AgentOutput.usage.cache_creation AgentOutput.usage.fallback_credit AgentOutput.usage.inference_geo
          AgentOutput.usage.iterations AgentOutput.usage.output_tokens_details AgentOutput.usage.server_tool_use
          AgentOutput.usage.service_tier AgentOutput.usage.speed`,
        'the provider does not report it to the CLI',
      ],
      [
        'AskUserQuestionInput.answers AskUserQuestionInput.annotations',
        'the app adds them with `answerUserQuestions()`',
      ],
      ['AskUserQuestionInput.metadata', 'the question has no source'],
      ['AskUserQuestionOutput.annotations.*.unanswered', 'all questions are answered, or the call is denied'],
      ['BashInput.dangerouslyDisableSandbox', 'the CLI asks before a command leaves the sandbox'],
      ['ElicitationRequest.elicitationId', '`onElicitation` answers forms; there are no URLs to open'],
      [
        'ElicitationRequest.title ElicitationRequest.displayName ElicitationRequest.description',
        'build the question from `serverName` and `message`',
      ],
      ['Options.onElicitation(options).requestId', 'a question is identified by its callback'],
      ['ExitPlanModeInput.allowedPrompts', 'approving a plan allows no commands; add rules'],
      ['FileReadInput.pages FileReadInput.allow_large', 'use `offset` and `limit`'],
      ['FileReadOutput.file.base64 FileReadOutput.file.dimensions', 'images are in the `tool_result` block'],
      [
        'FileReadOutput.type=notebook FileReadOutput.type=pdf FileReadOutput.type=parts',
        'such a file is text, or an error',
      ],
      ['FileReadOutput.artifactRead WebFetchOutput.artifactRead', 'there are no artifacts'],
      ['GetSessionMessagesOptions.includeSystemMessages', 'system messages are not stored'],
      [
        `GrepInput.output_mode GrepInput.-A GrepInput.-B GrepInput.-C GrepInput.-i GrepInput.-n GrepInput.-o
          GrepInput.type GrepInput.multiline GrepInput.head_limit GrepInput.offset GrepOutput.mode=count`,
        'see the schema `TOOL_INPUT_SCHEMAS.grep_search` of `@qwen/sdk`',
      ],
      [
        'InMemorySessionStore.listSessionSummaries SessionStore.listSessionSummaries',
        'lists read the sessions of their page from the store',
      ],
      ['ListSessionsOptions.includeWorktrees', 'call it once per folder'],
      ['ListSessionsOptions.includeProgrammatic', 'all sessions are listed'],
      [
        'McpServerProvenance.name McpServerProvenance.source SDKSystemMessage.mcp_servers.source',
        'names of servers are unique',
      ],
      [
        'McpServerStatus.serverInfo McpServerStatus.config McpServerStatus.scope McpServerStatus.source',
        'the app knows its servers by their names',
      ],
      ['McpServerStatus.tools', 'read `tools` of `init`: `mcp__server__tool`'],
      [
        'PermissionRequestHookInput.mcp_server PostToolUseFailureHookInput.mcp_server',
        'the tool name contains the server: `mcp__server__tool`',
      ],
      ['PermissionUpdateDestination=cliArg', 'use `session`; such an update denies the call'],
      ['PostToolUseFailureHookInput.is_interrupt', 'read the result, which is then `error_during_execution`'],
      ['PostToolUseFailureHookInput.duration_ms', 'measure between `PreToolUse` and `PostToolUseFailure`'],
      [
        'Query.setMaxThinkingTokens(thinkingDisplay)=highlights Query.setMaxThinkingTokens(thinkingDisplay)=omitted Query.setMaxThinkingTokens(thinkingDisplay)=summarized ThinkingEnabled.display',
        'thinking is shown as the provider sends it',
      ],
      ['RewindFilesResult.skippedLinks', 'links are not followed'],
      ['SDKAPIRetryMessage.max_retries SDKAPIRetryMessage.no_response', 'retries are limited by time'],
      ['SDKAPIRetryMessage.error_status', 'read `error`'],
      [
        'SDKCompactBoundaryMessage.compact_metadata.duration_ms SDKCompactBoundaryMessage.compact_metadata.preserved_messages SDKCompactBoundaryMessage.compact_metadata.preserved_segment',
        'the CLI does not report it',
      ],
      [
        `ControlErrorResponse.pending_elicitation_requests ControlErrorResponse.pending_permission_requests
          ControlErrorResponse.pending_user_dialog_requests ControlResponse.pending_elicitation_requests
          ControlResponse.pending_permission_requests ControlResponse.pending_user_dialog_requests
          SDKControlElicitationRequest.mode=form SDKControlElicitationRequest.mode=url
          SDKControlGetContextUsageRequest.detail=full SDKControlGetContextUsageRequest.detail=summary
          SDKControlInitializeRequest.sdkMcpServerManifestsOrigin=host_per_send
          SDKControlMcpCallRequest.input_files.lane_path SDKControlMcpCallRequest.input_files.name
          SDKControlMcpCallRequest.output_files.if_match SDKControlMcpCallRequest.output_files.lane_path
          SDKControlMcpCallRequest.output_files.name SDKControlPermissionRequest.decision_reason_type=asyncAgent
          SDKControlPermissionRequest.decision_reason_type=classifier
          SDKControlPermissionRequest.decision_reason_type=hook SDKControlPermissionRequest.decision_reason_type=mode
          SDKControlPermissionRequest.decision_reason_type=other
          SDKControlPermissionRequest.decision_reason_type=permissionPromptTool
          SDKControlPermissionRequest.decision_reason_type=rule
          SDKControlPermissionRequest.decision_reason_type=safetyCheck
          SDKControlPermissionRequest.decision_reason_type=sandboxOverride
          SDKControlPermissionRequest.decision_reason_type=subcommandResults
          SDKControlPermissionRequest.decision_reason_type=workingDir
          SDKControlPermissionRequest.matched_ask_rule.rule_content SDKControlPermissionRequest.matched_ask_rule.source
          SDKControlPermissionRequest.matched_ask_rule.tool_name SDKControlReadFileRequest.encoding=base64
          SDKControlReadFileRequest.encoding=utf-8 SDKControlRenameSessionRequest.source=host
          SDKControlRenameSessionRequest.source=remote SDKControlSetMaxThinkingTokensRequest.thinking_display=highlights
          SDKControlSetMaxThinkingTokensRequest.thinking_display=omitted
          SDKControlSetMaxThinkingTokensRequest.thinking_display=summarized
          SDKControlUpdateSettingsRequest.source=localSettings SDKControlUpdateSettingsRequest.source=userSettings`,
        'lines of the control protocol, which only methods and callbacks of a query send',
      ],
      [
        `SDKControlGetContextUsageResponse.agents SDKControlGetContextUsageResponse.apiUsage
          SDKControlGetContextUsageResponse.autoCompactThreshold
          SDKControlGetContextUsageResponse.deferredBuiltinTools SDKControlGetContextUsageResponse.gridRows
          SDKControlGetContextUsageResponse.isAutoCompactEnabled
          SDKControlGetContextUsageResponse.mcpInstructions SDKControlGetContextUsageResponse.mcpTools
          SDKControlGetContextUsageResponse.memoryFiles SDKControlGetContextUsageResponse.messageBreakdown
          SDKControlGetContextUsageResponse.skills SDKControlGetContextUsageResponse.slashCommands
          SDKControlGetContextUsageResponse.systemPromptSections SDKControlGetContextUsageResponse.systemTools
          SDKControlGetContextUsageResponse.categories.id SDKControlGetContextUsageResponse.categories.isDeferred
          SDKControlGetContextUsageResponse.categories.kind`,
        'read `categories`',
      ],
      [
        `SDKControlInitializeResponse.hook_on_failure_supported SDKControlInitializeResponse.hooks_applied
          SDKControlInitializeResponse.mcp_servers_applied SDKControlInitializeResponse.plugins_applied
          SDKControlInitializeResponse.sdk_mcp_manifests_parked`,
        'options that cannot be applied are errors',
      ],
      ['SDKControlInitializeResponse.claude_code_version', 'read it from `init`'],
      [
        'SDKControlInitializeResponse.fast_mode_state SDKControlInitializeResponse.fast_mode_disabled_reason',
        NO_SPEED_MODES,
      ],
      ['SDKControlInterruptResponse', '`interrupt()` resolves with no value; queued prompts are still answered'],
      [
        'SDKControlSetPermissionModeResponse',
        '`setPermissionMode()` resolves with no value; the next `init` has the mode',
      ],
      [
        `SDKConversationResetMessage.new_conversation_id SDKConversationResetMessage.timestamp
          SDKConversationResetMessage.trigger SDKConversationResetMessage.user_message_uuid`,
        'it is never sent; see Messages',
      ],
      ['SDKInformationalMessage.prevent_continuation', 'read the result'],
      [
        'SDKNotificationMessage.color SDKNotificationMessage.timeout_ms SDKStatus=requesting SDKStatusMessage.compact_result SDKStatusMessage.compact_error SDKTaskUpdatedMessage.run_id SDKTaskUpdatedMessage.patch.total_paused_ms SDKToolProgressMessage.heartbeat SDKToolProgressMessage.subagent_type SDKToolProgressMessage.subagent_retry',
        'it is never sent; see Messages',
      ],
      [
        `SDKRateLimitInfo.canUserPurchaseCredits SDKRateLimitInfo.errorCode
          SDKRateLimitInfo.hasChargeableSavedPaymentMethod SDKRateLimitInfo.isUsingOverage
          SDKRateLimitInfo.limitScope SDKRateLimitInfo.overageDisabledReason SDKRateLimitInfo.overageEnabled
          SDKRateLimitInfo.overageInUse SDKRateLimitInfo.overageResetsAt SDKRateLimitInfo.overageStatus
          SDKRateLimitInfo.surpassedThreshold`,
        NO_ACCOUNT_LIMITS,
      ],
      ['SDKSessionInfo.archived SDKSessionInfo.tag', 'sessions have a title: use `renameSession()`'],
      ['SdkPluginConfig.skipMcpDiscovery', 'use `strictMcpConfig` to leave out servers of files'],
      ['SDKSessionInfo.gitBranch', 'call `git` in `cwd`'],
      [
        `SDKTaskNotificationMessage.ambient SDKTaskNotificationMessage.reason SDKTaskNotificationMessage.resource_links
          SDKTaskNotificationMessage.run_id SDKTaskNotificationMessage.skip_transcript SDKTaskProgressMessage.last_tool_name
          SDKTaskProgressMessage.run_id SDKTaskProgressMessage.subagent_type SDKTaskStartedMessage.ambient
          SDKTaskStartedMessage.is_backgrounded SDKTaskStartedMessage.parent_task_id SDKTaskStartedMessage.prompt
          SDKTaskStartedMessage.run_id SDKTaskStartedMessage.skip_transcript SDKTaskStartedMessage.spawn_depth
          SDKTaskStartedMessage.subagent_type SDKTaskStartedMessage.workflow_name`,
        'find the `tool_use` block with the id `tool_use_id`',
      ],
      ['SdkMcpToolDefinition._meta', 'use `annotations`'],
      ['SessionMessage.parent_agent_id', 'read `parent_tool_use_id`'],
      ['SlashCommand.aliases SlashCommand.builtin', 'each command has one name'],
      [
        'SpawnedProcess.killed SpawnedProcess.on(event)=exit SpawnedProcess.once(event)=error SpawnedProcess.off(event)=error',
        'a query does not need it',
      ],
      ['TodoWriteInput.todos.activeForm TodoWriteOutput.newTodos.activeForm', 'read `content`'],
      [
        'Transport.write Transport.isReady Transport.readMessages Transport.expectControlResponse Transport.markDelivered Transport.waitForExit',
        'a transport has the members of the type `Transport` of `@qwen/sdk`',
      ],
      ['TaskStopInput.shell_id', 'use `task_id`'],
      ['WebFetchInput.prompt', 'the model reads the page itself'],
      ['WebSearchOutput.results.content WebSearchOutput.results.tool_use_id', '`results` contains the pages directly'],
      ['WebSearchOutput.durationSeconds', 'read `durationMs`'],
      ['WebSearchOutput.searchCount', 'a call is one search'],
    ],
  },
];

export const CLAUDE_AGENT_SDK: CompatTable = {
  packageName: '@anthropic-ai/claude-agent-sdk',
  version: '0.3.332',
  page: 'claude-agent-sdk.md',
  sections: [...OPTIONS, ...CONTROL, ...HOOKS, ...MESSAGES, ...TOOL_RESULTS, ...EXPORTS],
  imports: {
    TheirTools: './sdk-tools.js',
    SameNames: '@qwen/sdk/claude',
    SameTools: '@qwen/sdk/claude/sdk-tools',
  },
  nested: [
    ['Theirs', 'SameNames'],
    ['TheirTools', 'SameTools'],
  ],
};
