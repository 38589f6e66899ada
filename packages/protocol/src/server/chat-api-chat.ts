import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import {
  type ChatRoute,
  epochMsField,
  IDEMPOTENCY_KEY,
  NO_SESSION,
  nonEmptyText,
  promptPriorityField,
  sessionIdField,
} from './chat-api-fields.js';
import { NEW_SESSION_MEMBERS } from './chat-api-sessions.js';
import { chatEventSchema } from './chat-events.js';

const requestIdField = nonEmptyText('From the event `connected`.');
const NO_TURN = 'The request does not exist or has ended.';

/** Not stored in the workspace. */
const attachmentSchema = lazySchema(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('image'),
      mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
      data: z.string().check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/), z.describe('Base64.')),
    }),
    z.object({
      type: z.literal('text'),
      name: z.string().check(z.regex(/^[^"<>\p{Cc}]{1,200}$/u), z.describe('Name of the file.')),
      text: z.string().check(z.describe('Its content. The model reads it after the message.')),
    }),
  ]),
);

const done = lazySchema(() => z.object({ success: z.literal(true), requestId: z.string() }));

export const CHAT_ROUTES = {
  '/api/chat/stream': {
    scope: 'write',
    meaning: 'Sends a message and streams the events of its turn. The turn continues if the client disconnects.',
    request: lazySchema(() =>
      z.object({
        message: nonEmptyText("The user's message. `@path` refers to files; `/name` runs a command."),
        sessionId: z.optional(z.string().check(z.describe('If missing or unknown, a session is created.'))),
        attachments: z.optional(z.array(attachmentSchema).check(z.maxLength(20))),
        ...NEW_SESSION_MEMBERS,
      }),
    ),
    response: chatEventSchema,
    form: 'event-stream',
    headers: { 'Idempotency-Key': IDEMPOTENCY_KEY },
    failures: { 409: 'A turn of the session is running.', 429: 'Too many turns are running.' },
  },
  '/api/chat/send': {
    scope: 'write',
    meaning:
      'Sends a message to a session and responds at once. While a turn runs, the message steers it: the turn takes it before its next model call. Its events are in `/api/chat/follow`.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdField,
        message: nonEmptyText("The user's message. A message that starts with `/` or `?` is a separate turn."),
        attachments: z.optional(z.array(attachmentSchema).check(z.maxLength(20))),
        priority: z.optional(promptPriorityField('next')),
      }),
    ),
    response: lazySchema(() => z.object({ success: z.literal(true), requestId: z.string(), sessionId: z.string() })),
    headers: { 'Idempotency-Key': IDEMPOTENCY_KEY },
    failures: { 404: NO_SESSION, 429: 'Too many messages are waiting.' },
  },
  '/api/chat/cancel': {
    scope: 'write',
    meaning: 'Stops a turn; its stream ends with `cancelled`.',
    request: lazySchema(() => z.object({ requestId: requestIdField })),
    response: done,
    failures: { 404: NO_TURN },
  },
  '/api/chat/approve': {
    scope: 'approve',
    meaning: 'Answers a ToolCallConfirmation. The first answer applies; without an answer, the call is denied.',
    request: lazySchema(() =>
      z.object({
        requestId: requestIdField,
        callId: nonEmptyText('From the event `ToolCallConfirmation`.'),
        behavior: z.enum(['allow', 'deny']),
        updatedInput: z.optional(
          z.record(z.string(), z.unknown()).check(z.describe('Replaces the arguments of the call.')),
        ),
        message: z.optional(z.string().check(z.describe('The reason for a denial; the model reads it.'))),
        suggestion: z.optional(
          z.int().check(z.gte(0), z.describe('Index of a suggestion whose rules apply from now on.')),
        ),
      }),
    ),
    response: lazySchema(() => z.object({ success: z.literal(true), requestId: z.string(), callId: z.string() })),
    failures: { 404: 'The question does not exist or is already settled.' },
  },
  '/api/chat/history': {
    scope: 'read',
    meaning: 'Returns the history of a session, oldest first: messages as sent, and final answers.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdField,
        limit: z.optional(z.int().check(z.gte(0), z.lte(1000), z.describe('Default 50.'))),
        offset: z.optional(z.int().check(z.gte(0), z.describe('Number of messages to skip. Default 0.'))),
      }),
    ),
    response: lazySchema(() =>
      z.object({
        history: z.array(
          z.object({
            id: z.int().check(z.describe('Position in the session, counted from 1.')),
            type: z.enum(['user', 'assistant']),
            content: z.string(),
            timestamp: epochMsField,
          }),
        ),
        total: z.int().check(z.describe('Number of messages in the whole session.')),
        limit: z.int(),
        offset: z.int(),
      }),
    ),
    failures: { 404: NO_SESSION },
  },
} as const satisfies Record<string, ChatRoute>;
