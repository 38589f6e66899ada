import * as z from 'zod/mini';
import { budgetSchema } from '../budget.js';
import { capabilitiesSchema } from '../capabilities.js';
import { contentBlockSchema } from '../content.js';
import { hooksSchema } from '../hook-registration.js';
import { lazySchema } from '../lazy-schema.js';
import { permissionModeSchema } from '../modes.js';
import { nullish } from '../nullish.js';
import { readModeChange, readPromptPieces } from '../older-forms.js';
import { openObject } from '../open-object.js';
import { agentConfigSchema, cliMcpServerConfigSchema, sdkMcpServerConfigSchema, timeoutsSchema } from '../options.js';
import { permissionSuggestionSchema } from '../permission-suggestion.js';
import { readAvailableModels, readContextUsage, readUsageInfo } from '../qwen-code-forms.js';
import { TOOL_VOCABULARIES } from '../tools/tool-table.js';
import type { ControlRequestSpec } from './request-spec.js';
import { TASK_REQUESTS } from './tasks.js';

const none = openObject({});

/** Requests of the app about the running session. */
export const SESSION_REQUESTS = {
  initialize: {
    asker: 'app',
    deadline: 'initialize',
    meaning: "Sets up the session: hooks, MCP servers, subagents, system prompts and the agent's deadlines.",
    fromOlderPayload: readPromptPieces,
    payload: lazySchema(() =>
      openObject({
        hooks: nullish(hooksSchema),
        /** Whose tool names hooks without a naming matcher and `can_use_tool` get. Default: `qwen`. */
        toolNames: z.optional(z.enum(TOOL_VOCABULARIES)),
        /** A map, or in the Claude Agent SDK a list of names. */
        sdkMcpServers: nullish(z.union([z.record(z.string(), sdkMcpServerConfigSchema), z.array(z.string())])),
        mcpServers: nullish(z.record(z.string(), cliMcpServerConfigSchema)),
        /** Whether the first turn waits for MCP servers. Default: `wait`. */
        mcpReady: z.optional(z.enum(['wait', 'background'])),
        /** Milliseconds for the start of MCP servers, and so the longest wait of a first turn. */
        mcpStartTimeout: z.optional(z.number()),
        agents: nullish(z.union([z.array(agentConfigSchema), z.record(z.string(), z.looseObject({}))])),
        timeout: nullish(timeoutsSchema),
        protocol_version: z.optional(z.number()),
        systemPrompt: nullish(z.string()),
        appendSystemPrompt: nullish(z.string()),
        /** Whether the app answers `can_use_tool`. Default: yes. */
        canUseTool: z.optional(z.boolean()),
        /** Whether the app answers `elicitation`. Default: no; MCP servers are informed. */
        elicitation: z.optional(z.boolean()),
        /** JSON Schema of each answer. */
        outputSchema: nullish(z.record(z.string(), z.unknown())),
        /** Whether files are kept before tools change them, for `rewind_files`. Default: as the settings say. */
        fileHistory: z.optional(z.boolean()),
        /** Limits per prompt. */
        budget: nullish(budgetSchema),
        effort: nullish(z.string()),
        /** Models to try, in order, when the chosen one fails. */
        fallbackModels: nullish(z.array(z.string())),
      }),
    ),
    result: lazySchema(() =>
      openObject({
        subtype: z.optional(z.literal('initialize')),
        session_id: z.optional(z.string()),
        protocol_version: z.optional(z.number()),
        commands: z.optional(z.array(z.string())),
        /** Always `stream-json`; see `output_format` for the real format. */
        output_style: z.optional(z.string()),
        output_format: z.optional(z.string()),
        /** All optional and open: other agents add members. */
        capabilities: z.optional(z.looseObject(z.partial(capabilitiesSchema).shape)),
        model: z.optional(z.string()),
        permissionMode: z.optional(z.string()),
        agents: z.optional(z.array(z.string())),
        effort_status: z.optional(effortStatusSchema),
        account: z.optional(
          openObject({
            provider: z.optional(z.string()),
            host: z.optional(z.string()),
            credential_source: z.optional(z.string()),
          }),
        ),
      }),
    ),
  },
  interrupt: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Stops the running turn. Succeeds with null even if no turn is running.',
    payload: none,
    result: z.unknown(),
  },
  end_session: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning:
      'Ends the session while the app still answers: stops the running turn, runs SessionEnd hooks and accepts no more prompts. The program then exits.',
    payload: lazySchema(() =>
      openObject({
        /** For SessionEnd hooks. Default `other`. */
        reason: z.optional(z.enum(['prompt_input_exit', 'other'])),
      }),
    ),
    result: lazySchema(() => nullish(none)),
  },
  set_model: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Changes the model, starting with the next model call; null selects the default model.',
    payload: lazySchema(() => openObject({ model: nullish(z.string()) })),
    result: lazySchema(() =>
      nullish(openObject({ subtype: z.optional(z.literal('set_model')), model: z.optional(z.string()) })),
    ),
  },
  set_permission_mode: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Changes the permission mode, starting with the next decision.',
    fromOlderPayload: readModeChange,
    payload: lazySchema(() =>
      openObject({
        mode: permissionModeSchema,
        /** False: calls that need a question are denied until the next change of the mode. Default: true. */
        asks: z.optional(z.boolean()),
      }),
    ),
    result: lazySchema(() =>
      nullish(openObject({ status: z.optional(z.literal('updated')), mode: z.optional(z.string()) })),
    ),
  },
  set_effort: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: "Sets the reasoning effort, starting with the next model call; null selects the provider's default.",
    payload: lazySchema(() => openObject({ effort: nullish(z.string()) })),
    result: lazySchema(() => effortStatusSchema),
  },
  set_max_thinking_tokens: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Sets the reasoning effort by a number of thinking tokens, as apps of the Claude Agent SDK do.',
    payload: lazySchema(() =>
      openObject({
        /** Null selects the provider's default; without a number, the effort stays as it is. */
        max_thinking_tokens: nullish(z.number()),
        /** Without effect unless null or `summarized`, which is how thinking is shown anyway: others are refused. */
        thinking_display: nullish(z.string()),
      }),
    ),
    result: lazySchema(() => effortStatusSchema),
  },
  rewind_files: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning:
      'Restores the files that tools changed since a user message, as they were when it was sent. No turn may be running.',
    payload: lazySchema(() =>
      openObject({
        user_message_id: z.string(),
        /** True: only return what would happen. Default: false. */
        dry_run: z.optional(z.boolean()),
      }),
    ),
    result: lazySchema(() =>
      openObject({
        /** False, with the reason in `error`, only after a dry run; otherwise the request fails. */
        canRewind: z.boolean(),
        error: z.optional(z.string()),
        /** Absolute paths of the files that are or would be changed. */
        filesChanged: z.optional(z.array(z.string())),
        /** In lines, without those of binary files. */
        insertions: z.optional(z.number()),
        deletions: z.optional(z.number()),
        /** With those that stay as they are. */
        files: z.optional(z.array(rewoundFileSchema)),
      }),
    ),
  },
  rewind_conversation: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning:
      'Ends the conversation before a user message, so that the next prompt replaces it. Files stay as they are. No turn may be running.',
    payload: lazySchema(() => openObject({ user_message_id: z.string() })),
    /** The text of that message. */
    result: lazySchema(() => openObject({ prompt: z.string() })),
  },
  supported_commands: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Lists the slash commands; command files are read again.',
    payload: none,
    result: lazySchema(() => openObject({ commands: z.array(z.string()) })),
  },
  continue_last_turn: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Resumes a turn that was cut short, without a new user message.',
    payload: none,
    result: lazySchema(() => openObject({ accepted: z.boolean(), reason: z.optional(z.string()) })),
  },
  steer: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning:
      'Adds a user message to the running turn before its next model call. Answers when the turn has taken it, or has ended without it: then the message is dropped. The SDK sets no deadline; cancel the request to withdraw the message.',
    payload: lazySchema(() =>
      openObject({
        /** The id of the message in the conversation. Default: a new one. */
        uuid: z.optional(z.string()),
        content: z.union([z.string(), z.array(contentBlockSchema)]),
        /** `now` comes before `next`. Default `next`. */
        priority: z.optional(z.enum(['now', 'next'])),
      }),
    ),
    result: lazySchema(() => openObject({ taken: z.boolean() })),
  },
  ...TASK_REQUESTS,
  get_context_usage: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: "Returns how full the model's context window is, by category.",
    fromOlderResult: readContextUsage,
    payload: lazySchema(() => openObject({ show_details: nullish(z.boolean()) })),
    result: lazySchema(() =>
      openObject({
        model: z.string(),
        total_tokens: z.number(),
        /** Missing when the context window is unknown. */
        max_tokens: z.optional(z.number()),
        /** 0 to 100. */
        percentage: z.optional(z.number()),
        /** True if tokens were estimated instead of counted by the provider. */
        is_estimated: z.boolean(),
        categories: z.optional(z.array(openObject({ name: z.string(), tokens: z.number() }))),
      }),
    ),
  },
  get_usage_info: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Returns the tokens that this session has used, by model.',
    fromOlderResult: readUsageInfo,
    payload: lazySchema(() => openObject({ range: nullish(z.string()) })),
    result: lazySchema(() =>
      openObject({
        session_id: z.string(),
        models: z.record(
          z.string(),
          openObject({
            calls: z.number(),
            input_tokens: z.number(),
            output_tokens: z.number(),
            cache_read_input_tokens: z.optional(z.number()),
            reasoning_output_tokens: z.optional(z.number()),
            /** Missing if the price is unknown. */
            cost_usd: z.optional(z.number()),
          }),
        ),
        turns: z.number(),
      }),
    ),
  },
  get_available_models: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Lists the models that the provider offers, or only the current one if the provider has no list.',
    fromOlderResult: readAvailableModels,
    payload: none,
    result: lazySchema(() =>
      openObject({
        models: z.array(
          openObject({ id: z.string(), name: z.optional(z.string()), context_window: z.optional(z.number()) }),
        ),
        current: z.string(),
        /** Why the list may be incomplete. */
        reason: z.optional(z.string()),
      }),
    ),
  },
  explain_permission: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Returns the decision about a tool call and the rule, mode or hook that makes it. Nothing runs.',
    payload: lazySchema(() => openObject({ tool_name: z.string(), input: z.unknown() })),
    result: lazySchema(() =>
      openObject({
        behavior: z.enum(['allow', 'deny', 'ask']),
        decided_by: z.string(),
        rule: z.optional(z.string()),
        reason: z.string(),
        blocked_path: nullish(z.string()),
        /** Matching rules that lost. */
        shadowed: z.array(openObject({ rule: z.string(), behavior: z.enum(['allow', 'deny', 'ask']) })),
        /** Suggestions, if the user would be asked. */
        permission_suggestions: z.optional(z.array(permissionSuggestionSchema)),
        /** For a shell command: the findings per part. */
        parts: z.optional(
          z.array(openObject({ text: z.string(), behavior: z.string(), reason: z.optional(z.string()) })),
        ),
      }),
    ),
  },
  set_output_flow: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning:
      'Pauses or resumes all output except control lines, so that a slow consumer slows the model instead of filling memory.',
    payload: lazySchema(() => openObject({ paused: z.boolean() })),
    result: lazySchema(() => openObject({ paused: z.boolean() })),
  },
  renew_lease: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning:
      'Sets or moves the deadline at which the program and its commands end at once. For apps that may lose the session to another process: while they renew it, the program runs; if they freeze, it ends.',
    payload: lazySchema(() =>
      openObject({
        /** Milliseconds from the receipt. */
        ttl_ms: z.number(),
        /** Milliseconds since 1970, so that a request that was delayed extends nothing. The earlier time applies. */
        expires_at: z.number(),
      }),
    ),
    result: lazySchema(() => nullish(none)),
  },
} as const satisfies Record<string, ControlRequestSpec>;

const rewoundFileSchema = lazySchema(() =>
  openObject({
    path: z.string(),
    action: z.enum(['restore', 'recreate', 'delete']),
    /** True: someone else changed it after the session did. */
    changed_since: z.optional(z.boolean()),
    /** The path of a copy of the content that was replaced, if someone else changed it. */
    copy: z.optional(z.string()),
    /** Why it stays as it is. */
    refused: z.optional(z.string()),
  }),
);

/** Whether the requested effort applies. */
const effortStatusSchema = lazySchema(() =>
  openObject({
    applied: z.boolean(),
    override: nullish(openObject({ source: z.string(), field: z.string() })),
    reason: z.optional(z.string()),
  }),
);
