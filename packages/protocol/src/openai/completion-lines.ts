import * as z from 'zod/mini';
import { permissionDenialSchema } from '../agent-messages.js';
import { capabilitiesSchema } from '../capabilities.js';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';
import { usageSchema } from '../usage.js';
import { annotationSchema } from './annotations.js';

/** Token counts under OpenAI's names; the total is the sum of the others. */
const completionUsageSchema = lazySchema(() =>
  openObject({
    prompt_tokens: z.number(),
    completion_tokens: z.number(),
    total_tokens: z.number(),
    prompt_tokens_details: nullish(openObject({ cached_tokens: z.optional(z.number()) })),
    /** The answer was cut off before the provider counted all of it. */
    is_estimated: z.optional(z.boolean()),
  }),
);
export type CompletionUsage = z.infer<typeof completionUsageSchema>;

/** A failed question or hook. */
const lineControlErrorSchema = lazySchema(() =>
  openObject({
    request_id: nullish(z.string()),
    subtype: z.string(),
    message: z.string(),
    retryable: z.boolean(),
  }),
);
export type LineControlError = z.infer<typeof lineControlErrorSchema>;

/** The error; `content` is its text for people. */
const lineErrorSchema = lazySchema(() =>
  openObject({
    /** `unsupported_protocol`, `QWEN_INVALID_INPUT`, or one of our codes. */
    code: z.string(),
    message: z.string(),
    /** 1-based line of the input, if one caused the error. */
    line_number: z.optional(z.number()),
    retryable: z.optional(z.boolean()),
    /** OpenAI's error type, if a parameter caused it. */
    type: z.optional(z.string()),
    /** Path of the invalid parameter, as `tools[0].function.arguments`. */
    param: z.optional(z.string()),
    data: z.optional(z.record(z.string(), z.unknown())),
  }),
);
export type LineError = z.infer<typeof lineErrorSchema>;

/** Durations in milliseconds. */
const turnSummarySchema = lazySchema(() =>
  openObject({
    /** Model calls. */
    num_turns: z.number(),
    duration_ms: z.number(),
    duration_api_ms: z.number(),
    tool_calls: z.number(),
    permission_denials: z.array(permissionDenialSchema),
    is_error: z.boolean(),
    /** Who or what ended the turn early, as one word; missing otherwise. */
    terminal_reason: z.optional(z.string()),
    /** Sum over the turn. */
    usage: completionUsageSchema,
    /** Sum over the session, including this turn. */
    session_usage: completionUsageSchema,
    /** Cost of the turn, in US dollars; missing if a price is unknown. */
    total_cost_usd: z.optional(z.number()),
    model_usage: z.optional(z.record(z.string(), usageSchema)),
    /** The answer as a value, with an output schema. */
    structured_output: z.optional(z.unknown()),
  }),
);
export type TurnSummary = z.infer<typeof turnSummarySchema>;

/** Members besides OpenAI's; readers accept unknown ones. */
const lineMetadataSchema = lazySchema(() =>
  openObject({
    /** Missing only on lines without a session. */
    session_id: z.optional(z.string()),
    prompt_id: nullish(z.string()),
    // Receipt only.
    protocol_version: z.optional(z.number()),
    supported_protocol_versions: z.optional(z.array(z.number())),
    input_format: z.optional(z.string()),
    output_format: z.optional(z.string()),
    capabilities: z.optional(capabilitiesSchema),
    qwen_code_version: z.optional(z.string()),
    cwd: z.optional(z.string()),
    /** After a change, it is also on a line without choices. */
    permission_mode: z.optional(z.string()),
    // At the end of a turn.
    summary: z.optional(turnSummarySchema),
    error: nullish(lineErrorSchema),
    control_errors: z.optional(z.array(lineControlErrorSchema)),
    /** The task call, on lines of a subagent. */
    parent_tool_call_id: nullish(z.string()),
  }),
);
export type LineMetadata = z.infer<typeof lineMetadataSchema>;

const functionCall = lazySchema(() => openObject({ name: z.string(), arguments: z.string() }));

const lineToolCallSchema = lazySchema(() =>
  openObject({ id: z.string(), type: z.literal('function'), function: functionCall }),
);
export type LineToolCall = z.infer<typeof lineToolCallSchema>;

/** A piece of a call: the first of an `index` names it, later ones add arguments. */
const toolCallDeltaSchema = lazySchema(() =>
  openObject({
    index: z.optional(z.number()),
    id: z.optional(z.string()),
    type: z.optional(z.literal('function')),
    function: z.optional(openObject({ name: z.optional(z.string()), arguments: z.optional(z.string()) })),
  }),
);
export type ToolCallDelta = z.infer<typeof toolCallDeltaSchema>;

const lineHead = {
  /** `chatcmpl-<session_id>`, the same on all lines of a session. */
  id: z.string(),
  /** Unix time in seconds; never decreases. */
  created: z.number(),
  model: z.string(),
  usage: nullish(completionUsageSchema),
  metadata: nullish(lineMetadataSchema),
  /** `qwen-ipc/1` on the receipt. */
  system_fingerprint: nullish(z.string()),
};

/** `stop`, `tool_calls`, `length`, `content_filter`, `error` (unsupported protocol only), or null. */
const finishReason = nullish(z.string());

/**
 * A line of `stream-json` (group B): the receipt, a message of the model, a message of a tool (`role` `tool` with its
 * `tool_call_id`), news that are annotations only (`content` null, `finish_reason` null), or the summary.
 */
export const completionLineSchema = lazySchema(() =>
  openObject({
    object: z.literal('chat.completion'),
    ...lineHead,
    choices: z.array(
      openObject({
        index: z.number(),
        message: openObject({
          role: z.enum(['assistant', 'tool']),
          content: nullish(z.string()),
          refusal: nullish(z.string()),
          tool_calls: nullish(z.array(lineToolCallSchema)),
          tool_call_id: z.optional(z.string()),
          annotations: z.optional(z.array(annotationSchema)),
        }),
        logprobs: z.optional(z.null()),
        finish_reason: finishReason,
      }),
    ),
  }),
);
export type CompletionLine = z.infer<typeof completionLineSchema>;

/**
 * A line of `stream-chunk-json`. A message is a chunk with the role, deltas, a finishing chunk, and a chunk with the
 * usage. The finishing chunk of the last message of a turn has `metadata.summary`. The deltas' `content` is only the
 * model's text; all other text comes as annotations.
 */
export const chunkLineSchema = lazySchema(() =>
  openObject({
    object: z.literal('chat.completion.chunk'),
    ...lineHead,
    choices: z.array(
      openObject({
        index: z.optional(z.number()),
        delta: openObject({
          role: z.optional(z.string()),
          content: nullish(z.string()),
          tool_calls: nullish(z.array(toolCallDeltaSchema)),
          annotations: z.optional(z.array(annotationSchema)),
        }),
        finish_reason: finishReason,
      }),
    ),
  }),
);
export type ChunkLine = z.infer<typeof chunkLineSchema>;

/** The process exits with a non-zero code after this line. */
export const fatalErrorLineSchema = lazySchema(() =>
  openObject({
    error: openObject({
      message: z.string(),
      /** OpenAI's types: `invalid_request_error`, `authentication_error`, `server_error` … */
      type: z.string(),
      param: nullish(z.string()),
      /** `QWEN_` plus the reason in capitals. */
      code: nullish(z.string()),
    }),
  }),
);
export type FatalErrorLine = z.infer<typeof fatalErrorLineSchema>;
