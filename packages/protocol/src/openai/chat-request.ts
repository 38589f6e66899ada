import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';
import { chatPartSchema } from './chat-parts.js';
import { commandDescriptorSchema } from './command-result.js';
import { CONFIRMATION_OUTCOMES } from './confirmation-outcomes.js';

/** A function that the model may call: one of our own by its name, or a tool of the host, which answers itself. */
const functionToolSchema = lazySchema(() =>
  openObject({
    type: z.literal('function'),
    function: openObject({
      name: z.string(),
      description: nullish(z.string()),
      /** JSON Schema of the arguments. */
      parameters: nullish(z.record(z.string(), z.unknown())),
    }),
  }),
);
export type FunctionTool = z.infer<typeof functionToolSchema>;

/** Wishes for this one request; what is missing is as the session has it. */
const chatOptionsSchema = lazySchema(() =>
  openObject({
    /** Comes before the `model` of the request. */
    model: nullish(z.string()),
    temperature: nullish(z.number()),
    top_p: nullish(z.number()),
    max_tokens: nullish(z.number()),
    /** The only tools of this request, by function or class name. */
    tool_overrides: nullish(z.array(z.string())),
    /** `report`: a command only says what is to be sent to the model, and the host sends it. Default `run`. */
    command_mode: nullish(z.enum(['run', 'report'])),
  }),
);
export type ChatOptions = z.infer<typeof chatOptionsSchema>;

/** A tool that is to run without the model asking for it. Its members keep the case of their source. */
const toolRequestSchema = lazySchema(() =>
  openObject({
    name: z.string(),
    args: nullish(z.record(z.string(), z.unknown())),
    callId: nullish(z.string()),
    /** True: the result is for the host alone. False: the model reads it and goes on. Default true. */
    isClientInitiated: nullish(z.boolean()),
    prompt_id: nullish(z.string()),
  }),
);
export type ToolRequest = z.infer<typeof toolRequestSchema>;

export const CHAT_ORIGINS = ['user', 'tool_response', 'system'] as const;
export type ChatOrigin = (typeof CHAT_ORIGINS)[number];

/** Members that both forms of a request share. */
const requestHead = {
  /** Missing or `_new`: a new session; its id is in `metadata.session_id` of the first line that answers. */
  session_id: nullish(z.string()),
  /** Names the turn; made by us when missing. */
  prompt_id: nullish(z.string()),
  model: nullish(z.string()),
  /** The version that the host speaks. */
  protocol_version: nullish(z.number()),
  tools: nullish(z.array(functionToolSchema)),
  options: nullish(chatOptionsSchema),
  tool_call_id: nullish(z.string()),
};

/**
 * A Qwen Chat Request (group E): only what is new, never the conversation. Read lines in their many forms with
 * `readChatRequest`; this is the one form that comes out.
 */
export const chatRequestSchema = lazySchema(() =>
  openObject({
    ...requestHead,
    input: openObject({
      origin: z.enum(CHAT_ORIGINS),
      parts: z.array(chatPartSchema),
      command: nullish(commandDescriptorSchema),
    }),
    /** Goes on with what was said before; told by the origin when missing. */
    continuation: nullish(z.boolean()),
    tool_request: nullish(toolRequestSchema),
    // The answer to a confirmation may stand here too.
    approvedCommands: nullish(z.array(z.string())),
    confirmationOutcome: nullish(z.enum(CONFIRMATION_OUTCOMES)),
  }),
);
export type ChatRequest = z.infer<typeof chatRequestSchema>;

/** A message of an OpenAI conversation, as far as we read it. */
export const openAiMessageSchema = lazySchema(() =>
  openObject({
    role: z.string(),
    content: nullish(z.union([z.string(), z.array(openObject({ type: z.string(), text: nullish(z.string()) }))])),
    tool_calls: nullish(
      z.array(openObject({ id: z.string(), function: openObject({ name: z.string(), arguments: z.string() }) })),
    ),
    tool_call_id: nullish(z.string()),
    name: nullish(z.string()),
  }),
);
export type OpenAiMessage = z.infer<typeof openAiMessageSchema>;

/** The `{model, messages}` form: the last message is what is new, earlier ones seed a new session. */
export const messagesRequestSchema = lazySchema(() =>
  openObject({ ...requestHead, messages: z.array(openAiMessageSchema), temperature: nullish(z.number()) }),
);
export type MessagesRequest = z.infer<typeof messagesRequestSchema>;
