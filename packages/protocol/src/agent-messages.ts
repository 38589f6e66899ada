import * as z from 'zod/mini';
import { budgetSchema } from './budget.js';
import { contentBlockSchema, deltaSchema } from './content.js';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';
import { openUnion } from './open-union.js';
import { type SDKSystemMessage, systemMessageSchema } from './system-messages.js';
import { traceContextSchema } from './trace-context.js';
import { modelUsageSchema, NO_USAGE, usageSchema } from './usage.js';

// Messages of the sdk dialect, in snake_case as on the wire.

const parentToolUseId = z.optional(z.nullable(z.string()));

/**
 * When the model reads a message that arrives during a turn. `now` and `next`: before its next call, `now` first.
 * `later`: in its own turn, after the messages before it.
 */
export const promptPrioritySchema = lazySchema(() => z.enum(['now', 'next', 'later']));
export type PromptPriority = z.infer<typeof promptPrioritySchema>;

/** A prompt, or results of tool calls. */
export const userMessageSchema = lazySchema(() =>
  openObject({
    type: z.literal('user'),
    uuid: z.optional(z.nullable(z.string())),
    session_id: z.optional(z.nullable(z.string())),
    message: openObject({ role: z.literal('user'), content: z.union([z.string(), z.array(contentBlockSchema)]) }),
    /** The task call this message belongs to; null for the main agent. */
    parent_tool_use_id: parentToolUseId,
    /** The result of a built-in tool; `toolResultOf()` returns it with its type. */
    tool_use_result: z.optional(z.unknown()),
    /** Sends the prompt unchanged: slash commands and `@` references are not interpreted. Default false. */
    is_literal: z.optional(z.boolean()),
    /**
     * Default `later`. A running turn takes `now` and `next` between two model calls and repeats the message; it then
     * gets no separate result. If the turn ends first, the message is the next prompt.
     */
    priority: z.optional(z.nullable(promptPrioritySchema)),
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

/** A tool call that a user or a rule denied. */
export const permissionDenialSchema = lazySchema(() =>
  openObject({
    tool_name: z.string(),
    tool_use_id: z.string(),
    tool_input: z.unknown(),
    reason: z.optional(z.string()),
  }),
);
export type PermissionDenial = z.infer<typeof permissionDenialSchema>;

const resultLine = {
  type: z.literal('result'),
  uuid: z.string(),
  session_id: z.string(),
  /** Milliseconds since the user message. */
  duration_ms: z.number(),
};

const turnEnd = () => ({
  ...resultLine,
  /** Milliseconds spent waiting for the model. */
  duration_api_ms: z._default(z.number(), 0),
  /** Calls of the model. */
  num_turns: z._default(z.number(), 0),
  usage: z._default(usageSchema, NO_USAGE),
  /** In US dollars, subagents included; missing if a price is unknown. */
  total_cost_usd: z.optional(z.number()),
  /** By model, subagents included. */
  modelUsage: z.optional(z.record(z.string(), modelUsageSchema)),
  permission_denials: z._default(z.array(permissionDenialSchema), []),
  /** Hooks that failed since the last result. Each was reported by a `notice` too. */
  control_errors: z.optional(
    z.array(openObject({ event: z.string(), hook: z.optional(z.string()), message: z.string() })),
  ),
  /** The remaining budget of the prompt; members without a limit are missing. */
  budget_remaining: z.optional(budgetSchema),
});

const successSchema = lazySchema(() =>
  openObject({
    ...turnEnd(),
    subtype: z.literal('success'),
    is_error: z.literal(false),
    /** The last text of the model. */
    result: z._default(z.string(), ''),
    /** The answer that matches the output schema, if there is one. */
    structured_output: z.optional(z.unknown()),
  }),
);
/** The result of a turn that reached its end. */
export type SDKResultSuccess = z.infer<typeof successSchema> & { error?: undefined; terminal_reason?: undefined };

/** Lets an app read `result` without asking for the subtype first. */
type WithoutAnswer = { result?: undefined; structured_output?: undefined };

const ERROR_SUBTYPES = [
  'error_during_execution',
  'error_max_turns',
  'error_budget',
  'error_max_budget_usd',
  'error_output_schema',
] as const;

const failureSchema = lazySchema(() =>
  openObject({
    ...turnEnd(),
    subtype: z.enum(ERROR_SUBTYPES),
    is_error: z.literal(true),
    /** The message of `error`; the SDK adds it with `toolNames: 'claude'`. */
    errors: z.optional(z.array(z.string())),
    /** The exhausted limit or the code of the error. */
    terminal_reason: z.optional(z.string()),
    error: z._default(openObject({ message: z.string(), code: z.optional(z.string()), type: z.optional(z.string()) }), {
      message: 'The agent gave no reason.',
    }),
  }),
);
/** The result of a turn that failed. */
export type SDKResultError = z.infer<typeof failureSchema> & WithoutAnswer;

const interruptedSchema = lazySchema(() =>
  openObject({
    ...turnEnd(),
    subtype: z.literal('interrupted'),
    is_error: z.literal(false),
    /** Who interrupted the turn, as one word. */
    terminal_reason: z.optional(z.string()),
    /** Why, if a hook or a denial of `canUseTool` did. */
    interrupt_reason: z.optional(z.string()),
  }),
);
/** The result of a turn that the app or a user ended; not an error. */
export type SDKResultInterrupted = z.infer<typeof interruptedSchema> & WithoutAnswer & { error?: undefined };

/** Closes a turn; exactly one per user message. */
export const resultMessageSchema = lazySchema(() =>
  openUnion(['success', 'interrupted', ...ERROR_SUBTYPES], [successSchema, failureSchema, interruptedSchema], {
    member: 'subtype',
    shared: { ...resultLine, is_error: z.boolean() },
  }),
);
export type SDKResultMessage = SDKResultSuccess | SDKResultError | SDKResultInterrupted;

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
