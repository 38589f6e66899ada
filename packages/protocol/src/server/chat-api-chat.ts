import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { NEW_SESSION_MEMBERS } from './chat-api-sessions.js';
import { type ChatRoute, epochMsWord, NO_SESSION, sessionIdWord, words } from './chat-api-words.js';
import { chatEventSchema } from './chat-events.js';

const requestIdWord = words('From the event `connected`.');
const NO_TURN = 'There is no such request, or it has ended.';

const done = lazySchema(() => z.object({ success: z.literal(true), requestId: z.string() }));

/** Chat routes. */
export const CHAT_ROUTES = {
  '/api/chat/stream': {
    meaning: 'Sends a message and answers with the events of its turn. The turn goes on when the client goes away.',
    request: lazySchema(() =>
      z.object({
        message: words('What the user says. `@path` refers to files; `/name` runs a command.'),
        sessionId: z.optional(z.string().check(z.describe('Missing or unknown: a new session is made.'))),
        ...NEW_SESSION_MEMBERS,
      }),
    ),
    answer: chatEventSchema,
    form: 'event-stream',
    failures: { 409: 'A turn of the session is running.', 429: 'Too many turns are running.' },
  },
  '/api/chat/cancel': {
    meaning: 'Stops a turn; its stream ends with `cancelled`.',
    request: lazySchema(() => z.object({ requestId: requestIdWord })),
    answer: done,
    failures: { 404: NO_TURN },
  },
  '/api/chat/approve': {
    meaning: 'Answers the question of a ToolCallConfirmation. The first answer counts; without one the tool is denied.',
    request: lazySchema(() =>
      z.object({
        requestId: requestIdWord,
        callId: words('From the event `ToolCallConfirmation`.'),
        behavior: z.enum(['allow', 'deny']),
        updatedInput: z.optional(z.record(z.string(), z.unknown()).check(z.describe('Runs in place of the args.'))),
        message: z.optional(z.string().check(z.describe('Why not; the model reads it.'))),
        suggestion: z.optional(
          z.int().check(z.gte(0), z.describe('Index of a suggestion: its rules hold from now on.')),
        ),
      }),
    ),
    answer: lazySchema(() => z.object({ success: z.literal(true), requestId: z.string(), callId: z.string() })),
    failures: { 404: 'There is no such question, or it is settled.' },
  },
  '/api/chat/history': {
    meaning: 'What was said in a session, oldest first: messages as they were sent, and final answers.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdWord,
        limit: z.optional(z.int().check(z.gte(0), z.lte(1000), z.describe('Default 50.'))),
        offset: z.optional(z.int().check(z.gte(0), z.describe('How many are left out at the beginning. Default 0.'))),
      }),
    ),
    answer: lazySchema(() =>
      z.object({
        history: z.array(
          z.object({
            id: z.int().check(z.describe('1, 2, 3 … in the session.')),
            type: z.enum(['user', 'assistant']),
            content: z.string(),
            timestamp: epochMsWord,
          }),
        ),
        total: z.int().check(z.describe('Of the session, not of the page.')),
        limit: z.int(),
        offset: z.int(),
      }),
    ),
    failures: { 404: NO_SESSION },
  },
} as const satisfies Record<string, ChatRoute>;
