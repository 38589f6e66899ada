import * as z from 'zod/mini';
import { budgetSchema } from './budget.js';
import { contentBlockSchema } from './content.js';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';
import { openUnion } from './open-union.js';
import { traceContextSchema } from './trace-context.js';
import { usageSchema } from './usage.js';

// Messages of the sdk dialect, in snake_case as on the wire.

const parentToolUseId = z.optional(z.nullable(z.string()));

/** A prompt, or results of tool calls. */
export const userMessageSchema = lazySchema(() =>
  openObject({
    type: z.literal('user'),
    uuid: z.optional(z.nullable(z.string())),
    session_id: z.optional(z.nullable(z.string())),
    message: openObject({ role: z.literal('user'), content: z.union([z.string(), z.array(contentBlockSchema)]) }),
    /** The task call this message belongs to; null for the main agent. */
    parent_tool_use_id: parentToolUseId,
    /** Sends the prompt unchanged: slash commands and `@` references are not interpreted. Default false. */
    is_literal: z.optional(z.boolean()),
    /** Parent span of the prompt's turn. Default: the span of the session. */
    trace_context: z.catch(z.optional(traceContextSchema), undefined),
  }),
);
export type SDKUserMessage = z.infer<typeof userMessageSchema>;

export const assistantMessageSchema = lazySchema(() =>
  openObject({
    type: z.literal('assistant'),
    uuid: z.string(),
    session_id: z.string(),
    message: openObject({
      id: z.string(),
      type: z.optional(z.literal('message')),
      role: z.literal('assistant'),
      model: z.string(),
      content: z.array(contentBlockSchema),
      stop_reason: z.optional(z.nullable(z.string())),
      usage: z.optional(usageSchema),
    }),
    parent_tool_use_id: parentToolUseId,
  }),
);
export type SDKAssistantMessage = z.infer<typeof assistantMessageSchema>;

/**
 * News about the session. Subtype `init` opens each turn and fills the optional members; the others
 * (`model_changed`, `permission_mode_changed`, `model_fallback`, `budget`, `retry`, `notice`, `hook_event`, `error`)
 * use `data`.
 */
export const systemMessageSchema = lazySchema(() =>
  openObject({
    type: z.literal('system'),
    subtype: z.string(),
    uuid: z.string(),
    session_id: z.string(),
    data: z.optional(z.unknown()),
    cwd: z.optional(z.string()),
    tools: z.optional(z.array(z.string())),
    mcp_servers: z.optional(z.array(openObject({ name: z.string(), status: z.string() }))),
    model: z.optional(z.string()),
    permission_mode: z.optional(z.string()),
    slash_commands: z.optional(z.array(z.string())),
    agents: z.optional(z.array(z.string())),
    qwen_code_version: z.optional(z.string()),
    protocol_version: z.optional(z.number()),
    /** With subtype `compact_boundary`: a summary replaced the older part of the conversation. */
    compact_metadata: z.optional(
      openObject({ trigger: z.string(), pre_tokens: z.number(), post_tokens: z.optional(z.number()) }),
    ),
  }),
);
export type SDKSystemMessage = z.infer<typeof systemMessageSchema>;

/** A tool call that a user or a rule denied. */
export const permissionDenialSchema = lazySchema(() =>
  openObject({
    tool_name: z.string(),
    tool_use_id: z.string(),
    tool_input: z.unknown(),
  }),
);
export type PermissionDenial = z.infer<typeof permissionDenialSchema>;

/**
 * Closes a turn; exactly one per user message. Subtypes: `success`, `error_max_turns`, `error_budget`,
 * `error_output_schema`, `error_during_execution`, and `interrupted` (not an error).
 */
export const resultMessageSchema = lazySchema(() =>
  openObject({
    type: z.literal('result'),
    subtype: z.string(),
    uuid: z.string(),
    session_id: z.string(),
    is_error: z.boolean(),
    /** Milliseconds since the user message. */
    duration_ms: z.number(),
    /** Milliseconds spent waiting for the model. */
    duration_api_ms: z.optional(z.number()),
    num_turns: z.optional(z.number()),
    /** The last text of the model; only on success. */
    result: z.optional(z.string()),
    usage: z.optional(usageSchema),
    permission_denials: z.optional(z.array(permissionDenialSchema)),
    /** Who or what ended the turn early, as one word. */
    terminal_reason: z.optional(z.string()),
    /** Hooks that failed since the last result. Each was reported by a `notice` too. */
    control_errors: z.optional(
      z.array(openObject({ event: z.string(), hook: z.optional(z.string()), message: z.string() })),
    ),
    /** The answer that matches the output schema; present exactly on success. */
    structured_output: z.optional(z.unknown()),
    /** The remaining budget of the prompt; members without a limit are missing. */
    budget_remaining: z.optional(budgetSchema),
    error: z.optional(openObject({ message: z.string(), code: z.optional(z.string()), type: z.optional(z.string()) })),
  }),
);
export type SDKResultMessage = z.infer<typeof resultMessageSchema>;

const deltaSchema = lazySchema(() =>
  openUnion(
    ['text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta'],
    [
      openObject({ type: z.literal('text_delta'), text: z.string() }),
      openObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
      openObject({ type: z.literal('signature_delta'), signature: z.string() }),
      openObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
    ],
  ),
);
export type ContentDelta = z.infer<typeof deltaSchema>;

/** Increments of one answer. The joined deltas of a block equal the block. */
const streamEventSchema = lazySchema(() =>
  openUnion(
    [
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ],
    [
      openObject({
        type: z.literal('message_start'),
        message: openObject({ id: z.string(), role: z.literal('assistant'), model: z.string() }),
      }),
      openObject({ type: z.literal('content_block_start'), index: z.number(), content_block: contentBlockSchema }),
      openObject({ type: z.literal('content_block_delta'), index: z.number(), delta: deltaSchema }),
      openObject({ type: z.literal('content_block_stop'), index: z.number() }),
      openObject({
        type: z.literal('message_delta'),
        delta: openObject({ stop_reason: z.nullable(z.string()) }),
        usage: z.optional(usageSchema),
      }),
      openObject({ type: z.literal('message_stop') }),
    ],
  ),
);
export type StreamEvent = z.infer<typeof streamEventSchema>;

/** Sent only with `includePartialMessages`. */
export const partialAssistantMessageSchema = lazySchema(() =>
  openObject({
    type: z.literal('stream_event'),
    uuid: z.string(),
    session_id: z.string(),
    /** Same as `message.id` of the whole message. */
    message_id: z.optional(z.string()),
    event: streamEventSchema,
    parent_tool_use_id: parentToolUseId,
  }),
);
export type SDKPartialAssistantMessage = z.infer<typeof partialAssistantMessageSchema>;

/** One schema for each value of `type`. */
export const MESSAGE_SCHEMAS = {
  user: userMessageSchema,
  assistant: assistantMessageSchema,
  system: systemMessageSchema,
  result: resultMessageSchema,
  stream_event: partialAssistantMessageSchema,
} as const;

/**
 * Everything the stream yields. A newer CLI may send other types; they are yielded unchanged, so give each `switch`
 * a `default` that ignores them.
 */
export type SDKMessage =
  | SDKUserMessage
  | SDKAssistantMessage
  | SDKSystemMessage
  | SDKResultMessage
  | SDKPartialAssistantMessage;
