import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { permissionSuggestionSchema } from '../permission-suggestion.js';
import { usageSchema } from '../usage.js';
import { epochMsField } from './chat-api-fields.js';
import { APPROVAL_SOURCES } from './public-events.js';

const callId = z.string().check(z.describe('ID of the tool call, the same in all its events.'));
const timestamp = epochMsField;

/** One schema per `type`. */
export const CHAT_EVENT_SCHEMAS = {
  connected: lazySchema(() =>
    z.object({
      type: z.literal('connected'),
      requestId: z.string().check(z.describe('Pass it to `/api/chat/cancel` and `/api/chat/approve`.')),
      sessionId: z.string().check(z.describe('The session, also if the request named none.')),
      timestamp,
    }),
  ),
  Content: lazySchema(() =>
    z.object({
      type: z.literal('Content'),
      value: z.string().check(z.describe('The next piece of the answer.')),
      timestamp,
    }),
  ),
  Thought: lazySchema(() =>
    z.object({
      type: z.literal('Thought'),
      value: z.object({
        subject: z.string().check(z.describe('The heading of the thought, or an empty string.')),
        description: z.string(),
      }),
      timestamp,
    }),
  ),
  ToolCallRequest: lazySchema(() =>
    z.object({
      type: z.literal('ToolCallRequest'),
      value: z.object({
        callId,
        name: z.string(),
        args: z.unknown(),
        isClientInitiated: z.boolean(),
        prompt_id: z.string(),
      }),
      timestamp,
    }),
  ),
  ToolCallConfirmation: lazySchema(() =>
    z.object({
      type: z.literal('ToolCallConfirmation'),
      value: z.object({
        callId,
        name: z.string(),
        args: z.unknown(),
        reason: z.optional(z.string()),
        suggestions: z.optional(
          z.array(permissionSuggestionSchema).check(z.describe('Rules that `/api/chat/approve` can select by index.')),
        ),
        expiresAt: epochMsField,
      }),
      timestamp,
    }),
  ),
  ToolCallConfirmed: lazySchema(() =>
    z.object({
      type: z.literal('ToolCallConfirmed'),
      value: z.object({
        callId,
        behavior: z.enum(['allow', 'deny']),
        by: z.enum(APPROVAL_SOURCES),
        message: z.optional(z.string()),
      }),
      timestamp,
    }),
  ),
  ToolCallResponse: lazySchema(() =>
    z.object({
      type: z.literal('ToolCallResponse'),
      value: z.object({ callId, content: z.unknown(), isError: z.boolean() }),
      timestamp,
    }),
  ),
  file_references: lazySchema(() =>
    z.object({
      type: z.literal('file_references'),
      files: z.array(z.object({ path: z.string(), size: z.number().check(z.describe('Bytes.')) })),
      timestamp,
    }),
  ),
  warning: lazySchema(() => z.object({ type: z.literal('warning'), message: z.string(), timestamp })),
  notice: lazySchema(() =>
    z.object({ type: z.literal('notice'), code: z.string(), message: z.optional(z.string()), timestamp }),
  ),
  error: lazySchema(() =>
    z.object({ type: z.literal('error'), error: z.string(), message: z.string(), code: z.string(), timestamp }),
  ),
  cancelled: lazySchema(() => z.object({ type: z.literal('cancelled'), requestId: z.string(), timestamp })),
  stream_end: lazySchema(() =>
    z.object({
      type: z.literal('stream_end'),
      requestId: z.string(),
      sessionId: z.string(),
      timestamp,
      usage: z.optional(usageSchema),
    }),
  ),
} as const;

/** An event of a chat stream. `connected` is first; `stream_end`, `error` or `cancelled` is last. */
export const chatEventSchema = lazySchema(() =>
  z.discriminatedUnion('type', [
    CHAT_EVENT_SCHEMAS.connected,
    CHAT_EVENT_SCHEMAS.Content,
    CHAT_EVENT_SCHEMAS.Thought,
    CHAT_EVENT_SCHEMAS.ToolCallRequest,
    CHAT_EVENT_SCHEMAS.ToolCallConfirmation,
    CHAT_EVENT_SCHEMAS.ToolCallConfirmed,
    CHAT_EVENT_SCHEMAS.ToolCallResponse,
    CHAT_EVENT_SCHEMAS.file_references,
    CHAT_EVENT_SCHEMAS.warning,
    CHAT_EVENT_SCHEMAS.notice,
    CHAT_EVENT_SCHEMAS.error,
    CHAT_EVENT_SCHEMAS.cancelled,
    CHAT_EVENT_SCHEMAS.stream_end,
  ]),
);
export type ChatEvent = z.infer<typeof chatEventSchema>;
