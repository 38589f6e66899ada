import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { type ChatRoute, NO_SESSION, sessionIdField, sessionOnlySchema, TOO_MANY_READERS } from './chat-api-fields.js';
import { publicEventSchema, streamedEventSchema } from './public-events.js';
import { tokenScopeSchema } from './token-scopes.js';

const afterSeq = z.optional(
  z
    .int()
    .check(z.gte(0), z.describe('Number of the last event that the client has. Default 0: start with the oldest.')),
);

/** Routes of the web page besides the chat API: session events and hints. */
export const PAGE_API = {
  '/api/chat/events': {
    scope: 'read',
    meaning:
      'Returns a page of the events of a session, oldest first. Deltas of answers that the page contains in full are omitted.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdField,
        afterSeq,
        limit: z.optional(
          z.int().check(z.gte(1), z.lte(1000), z.describe('Number of events to examine. Default 1000.')),
        ),
      }),
    ),
    response: lazySchema(() =>
      z.object({
        events: z.array(publicEventSchema),
        throughSeq: z.int().check(z.describe('The last event that this page covers.')),
        firstSeq: z.int().check(z.describe('The oldest stored event.')),
        lastSeq: z.int().check(z.describe('The newest event of the session.')),
      }),
    ),
    failures: { 404: NO_SESSION },
  },
  '/api/chat/follow': {
    scope: 'read',
    meaning: 'Streams the events of a session after `afterSeq`, then new ones, until the client disconnects.',
    request: lazySchema(() => z.object({ sessionId: sessionIdField, afterSeq })),
    response: streamedEventSchema,
    form: 'event-stream',
    failures: { 400: 'The session has no event `afterSeq` yet.', 404: NO_SESSION, 429: TOO_MANY_READERS },
  },
  '/api/hints': {
    scope: 'read',
    meaning: 'Returns suggestions for the text being typed: commands after `/`, files after `@`.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdField,
        trigger: z.enum(['slash', 'at']),
        text: z.string().check(z.maxLength(100_000), z.describe('The text in the input box.')),
        cursor: z.int().check(z.gte(0), z.describe('Position in `text`, in UTF-16 units.')),
      }),
    ),
    response: lazySchema(() =>
      z.object({
        suggestions: z.array(
          z.object({
            label: z.string(),
            value: z.string().check(z.describe('Replaces the word at the cursor.')),
            description: z.optional(z.string()),
          }),
        ),
        isPerfectMatch: z.boolean(),
      }),
    ),
    failures: { 404: NO_SESSION },
  },
  '/api/whoami': {
    scope: 'read',
    meaning: 'Returns what the token of the request may do.',
    request: lazySchema(() => z.object({})),
    response: lazySchema(() =>
      z.object({
        name: z.optional(z.string().check(z.describe('Missing for the administrator of `--token`.'))),
        sessionId: z.optional(z.string().check(z.describe('The only session that a share link opens.'))),
        scopes: z.array(tokenScopeSchema).check(z.describe('`admin` includes all others.')),
      }),
    ),
    failures: {},
  },
  '/api/models': {
    scope: 'write',
    meaning:
      'Lists the models that the provider of a session offers, or only the current one if the provider has no list.',
    request: sessionOnlySchema,
    response: lazySchema(() =>
      z.object({
        models: z.array(z.object({ id: z.string(), name: z.optional(z.string()) })),
        current: z.string().check(z.describe('The model of the session.')),
      }),
    ),
    failures: { 404: NO_SESSION },
  },
  '/api/folders': {
    scope: 'write',
    meaning: 'Lists the folders in a folder, to choose the workspace of a new session. Hidden folders are omitted.',
    request: lazySchema(() =>
      z.object({
        path: z.optional(
          z
            .string()
            .check(z.maxLength(4096), z.describe('Absolute or with `~`. Default: the workspace of the server.')),
        ),
      }),
    ),
    response: lazySchema(() =>
      z.object({
        path: z.string().check(z.describe('The real path.')),
        canUse: z.boolean().check(z.describe('Whether the folder itself can be a workspace.')),
        parent: z.optional(z.string().check(z.describe('Missing if the caller may not list it.'))),
        folders: z.array(z.string()).check(z.describe('Names, sorted; at most 1000.')),
      }),
    ),
    failures: { 404: 'The folder does not exist, or may not be listed.' },
  },
} as const satisfies Record<string, ChatRoute>;

export type PagePath = keyof typeof PAGE_API;
export type PageRequest<Path extends PagePath> = z.output<(typeof PAGE_API)[Path]['request']>;
export type PageResponse<Path extends PagePath> = z.output<(typeof PAGE_API)[Path]['response']>;
