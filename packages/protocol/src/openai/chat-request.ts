import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';
import { chatPartSchema } from './chat-parts.js';
import { commandDescriptorSchema } from './command-result.js';
import { CONFIRMATION_OUTCOMES } from './confirmation-outcomes.js';

const functionToolSchema = lazySchema(() =>
  openObject({
    type: z.literal('function'),
    function: openObject({
      name: z.string(),
      description: nullish(z.string()),
      parameters: nullish(z.record(z.string(), z.unknown())),
    }),
  }),
);
export type FunctionTool = z.infer<typeof functionToolSchema>;

/** Overrides for this request. */
const chatOptionsSchema = lazySchema(() =>
  openObject({
    /** Takes precedence over the `model` of the request. */
    model: nullish(z.string()),
    temperature: nullish(z.number()),
    top_p: nullish(z.number()),
    max_tokens: nullish(z.number()),
    /** The only tools of this request, by function or class name. */
    tool_overrides: nullish(z.array(z.string())),
    /** `report`: a command returns its prompt and the client sends it. Default: `run`. */
    command_mode: nullish(z.enum(['run', 'report'])),
  }),
);
export type ChatOptions = z.infer<typeof chatOptionsSchema>;

/** A tool to run without the model. Its members keep the case of their source. */
const toolRequestSchema = lazySchema(() =>
  openObject({
    name: z.string(),
    args: nullish(z.record(z.string(), z.unknown())),
    callId: nullish(z.string()),
    /** True: only the client gets the result. False: the model reads it and continues. Default true. */
    isClientInitiated: nullish(z.boolean()),
    prompt_id: nullish(z.string()),
  }),
);
export type ToolRequest = z.infer<typeof toolRequestSchema>;

export const CHAT_ORIGINS = ['user', 'tool_response', 'system'] as const;
export type ChatOrigin = (typeof CHAT_ORIGINS)[number];

/** Shared members of both forms. */
const requestHead = {
  /** Missing or `_new`: a new session, whose id is in `metadata.session_id` of the first response line. */
  session_id: nullish(z.string()),
  /** Id of the turn; generated when missing. */
  prompt_id: nullish(z.string()),
  model: nullish(z.string()),
  protocol_version: nullish(z.number()),
  tools: nullish(z.array(functionToolSchema)),
  options: nullish(chatOptionsSchema),
  tool_call_id: nullish(z.string()),
};

/**
 * A chat request: only new input, never the conversation. `readChatRequest` reads its many forms and returns this
 * one.
 */
export const chatRequestSchema = lazySchema(() =>
  openObject({
    ...requestHead,
    input: openObject({
      origin: z.enum(CHAT_ORIGINS),
      parts: z.array(chatPartSchema),
      command: nullish(commandDescriptorSchema),
    }),
    /** Continues earlier input; derived from the origin when missing. */
    continuation: nullish(z.boolean()),
    tool_request: nullish(toolRequestSchema),
    // The answer to a confirmation may be here too.
    approvedCommands: nullish(z.array(z.string())),
    confirmationOutcome: nullish(z.enum(CONFIRMATION_OUTCOMES)),
  }),
);
export type ChatRequest = z.infer<typeof chatRequestSchema>;

/** A message of an OpenAI conversation, the supported part. */
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

/** Empty for a message without text. */
export function messageText({ content }: OpenAiMessage): string {
  if (content == null) return '';
  return typeof content === 'string' ? content : content.map((piece) => piece.text ?? '').join('');
}

/** The `{model, messages}` form: the last message is new, earlier ones seed a new session. */
export const messagesRequestSchema = lazySchema(() =>
  openObject({ ...requestHead, messages: z.array(openAiMessageSchema), temperature: nullish(z.number()) }),
);
export type MessagesRequest = z.infer<typeof messagesRequestSchema>;
