import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { permissionModeSchema } from '../modes.js';
import {
  type ChatRoute,
  isoTimeWord,
  metadataSchema,
  NO_SESSION,
  sessionIdWord,
  sessionOnlySchema,
  words,
} from './chat-api-words.js';

/** Members of a new session, in `/api/session` or the first message. */
export const NEW_SESSION_MEMBERS = {
  workspaceRoot: z.optional(words('The folder that the agent works in. Default: that of the server.')),
  model: z.optional(words('Default: that of the settings.')),
  approvalMode: z.optional(permissionModeSchema),
};

const FAILED_UPDATE = 'There is no such session, or the folder cannot be its workspace.';

/** Sessions and their folders. */
export const SESSION_ROUTES = {
  '/api/session': {
    meaning: 'Makes a session.',
    request: lazySchema(() => z.object({ ...NEW_SESSION_MEMBERS, metadata: z.optional(metadataSchema) })),
    answer: lazySchema(() => z.object({ sessionId: z.string(), createdAt: isoTimeWord })),
    failures: {},
  },
  '/api/session/get': {
    meaning: 'Tells about a session.',
    request: sessionOnlySchema,
    answer: lazySchema(() =>
      z.object({
        id: z.string(),
        userId: z.literal('local-user'),
        createdAt: isoTimeWord,
        lastActivity: isoTimeWord,
        duration: z.int().check(z.describe('Milliseconds from the one to the other.')),
        messageCount: z.int(),
        metadata: metadataSchema,
      }),
    ),
    failures: { 404: NO_SESSION },
  },
  '/api/session/delete': {
    meaning: 'Stops what runs in a session and removes it.',
    request: sessionOnlySchema,
    answer: lazySchema(() => z.object({ success: z.literal(true) })),
    failures: { 404: NO_SESSION },
  },
  '/api/session/update-workspace': {
    meaning: 'Moves a session to another folder, from its next message on. Its history stays.',
    request: lazySchema(() => z.object({ sessionId: sessionIdWord, workspaceRoot: words('An existing folder.') })),
    answer: lazySchema(() => z.object({ success: z.literal(true), sessionId: z.string(), workspaceRoot: z.string() })),
    failures: { 404: FAILED_UPDATE },
  },
  '/api/session/add-directory': {
    meaning: 'Adds folders to the workspace of a session; the model is told with the next message.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdWord,
        directories: z
          .array(words('Absolute, from the workspace, or beginning with ~ or %userprofile%.'))
          .check(z.minLength(1), z.maxLength(100)),
      }),
    ),
    answer: lazySchema(() =>
      z.object({
        success: z.boolean(),
        added: z.array(z.string()).check(z.describe('As they were given.')),
        errors: z.array(z.string()).check(z.describe("Error adding '<path>': <why>")),
      }),
    ),
    failures: { 404: `${NO_SESSION} The members of the answer are there too.` },
  },
  '/api/session/list-directories': {
    meaning: 'The folders of the workspace, the main one first.',
    request: sessionOnlySchema,
    answer: lazySchema(() => z.object({ directories: z.array(z.string()) })),
    failures: { 404: NO_SESSION },
  },
  '/api/sessions/list': {
    meaning: 'All sessions, the newest first.',
    request: lazySchema(() =>
      z.object({
        limit: z.optional(z.int().check(z.gte(1), z.lte(1000), z.describe('Default 1000.'))),
        afterId: z.optional(words('The last session of the page before.')),
      }),
    ),
    answer: lazySchema(() =>
      z.object({
        sessions: z.array(
          z.object({ id: z.string(), createdAt: isoTimeWord, lastActivity: isoTimeWord, metadata: metadataSchema }),
        ),
        total: z.int().check(z.describe('Of all sessions, not of the page.')),
      }),
    ),
    failures: { 404: 'There is no such session as afterId.' },
  },
} as const satisfies Record<string, ChatRoute>;
