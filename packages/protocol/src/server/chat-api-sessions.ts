import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { permissionModeSchema } from '../modes.js';
import {
  allowedToolsField,
  type ChatRoute,
  isoTimeField,
  metadataSchema,
  NO_SESSION,
  nonEmptyText,
  questionPolicySchema,
  sandboxField,
  sandboxStateField,
  sessionIdField,
  sessionOnlySchema,
} from './chat-api-fields.js';

/** Members of a new session, in `/api/session` or the first message. */
export const NEW_SESSION_MEMBERS = {
  workspaceRoot: z.optional(nonEmptyText("The agent's working folder. Default: the server's.")),
  model: z.optional(nonEmptyText('Default: the model of the settings.')),
  approvalMode: z.optional(permissionModeSchema),
  sandbox: z.optional(sandboxField),
  questionPolicy: z.optional(questionPolicySchema),
  allowedTools: z.optional(allowedToolsField),
  shared: z.optional(z.boolean().check(z.describe('Whether other tokens can use the session. Default false.'))),
};

const FAILED_UPDATE = 'The session does not exist, or the folder cannot be its workspace.';

export const SESSION_ROUTES = {
  '/api/session': {
    scope: 'write',
    meaning: 'Creates a session.',
    request: lazySchema(() => z.object({ ...NEW_SESSION_MEMBERS, metadata: z.optional(metadataSchema) })),
    response: lazySchema(() => z.object({ sessionId: z.string(), createdAt: isoTimeField })),
    failures: {},
  },
  '/api/session/get': {
    scope: 'read',
    meaning: 'Returns a session.',
    request: sessionOnlySchema,
    response: lazySchema(() =>
      z.object({
        id: z.string(),
        userId: z.string().check(z.describe('The owner; `local-user` if it has none.')),
        createdAt: isoTimeField,
        lastActivity: isoTimeField,
        duration: z.int().check(z.describe('Milliseconds from `createdAt` to `lastActivity`.')),
        messageCount: z.int(),
        sandbox: z.optional(sandboxStateField),
        metadata: metadataSchema,
      }),
    ),
    failures: { 404: NO_SESSION },
  },
  '/api/session/delete': {
    scope: 'write',
    meaning: 'Stops the running turn of a session and deletes the session.',
    request: sessionOnlySchema,
    response: lazySchema(() => z.object({ success: z.literal(true) })),
    failures: { 404: NO_SESSION },
  },
  '/api/session/update-workspace': {
    scope: 'write',
    meaning: 'Moves a session to another folder, starting with its next message. The history is kept.',
    request: lazySchema(() =>
      z.object({ sessionId: sessionIdField, workspaceRoot: nonEmptyText('An existing folder.') }),
    ),
    response: lazySchema(() =>
      z.object({ success: z.literal(true), sessionId: z.string(), workspaceRoot: z.string() }),
    ),
    failures: { 404: FAILED_UPDATE },
  },
  '/api/session/add-directory': {
    scope: 'write',
    meaning: 'Adds folders to the workspace of a session. The model is informed with the next message.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdField,
        directories: z
          .array(nonEmptyText('Absolute, relative to the workspace, or starting with `~` or `%userprofile%`.'))
          .check(z.minLength(1), z.maxLength(100)),
      }),
    ),
    response: lazySchema(() =>
      z.object({
        success: z.boolean(),
        added: z.array(z.string()).check(z.describe('The added folders, as requested.')),
        errors: z.array(z.string()).check(z.describe("One `Error adding '<path>': <reason>` per refused folder.")),
      }),
    ),
    failures: { 404: `${NO_SESSION} The error also has the members of the response.` },
  },
  '/api/session/list-directories': {
    scope: 'read',
    meaning: 'Lists the folders of the workspace, the main one first.',
    request: sessionOnlySchema,
    response: lazySchema(() => z.object({ directories: z.array(z.string()) })),
    failures: { 404: NO_SESSION },
  },
  '/api/session/share': {
    scope: 'write',
    meaning: 'Lets other tokens use a session, or stops that. Only for its owner and administrators.',
    request: lazySchema(() => z.object({ sessionId: sessionIdField, shared: z.boolean() })),
    response: lazySchema(() => z.object({ success: z.literal(true), sessionId: z.string(), shared: z.boolean() })),
    failures: { 404: NO_SESSION },
  },
  '/api/sessions/list': {
    scope: 'read',
    meaning: 'Lists the sessions that the token can see, newest first.',
    request: lazySchema(() =>
      z.object({
        limit: z.optional(z.int().check(z.gte(1), z.lte(1000), z.describe('Default 1000.'))),
        afterId: z.optional(nonEmptyText('The last session of the previous page.')),
      }),
    ),
    response: lazySchema(() =>
      z.object({
        sessions: z.array(
          z.object({ id: z.string(), createdAt: isoTimeField, lastActivity: isoTimeField, metadata: metadataSchema }),
        ),
        total: z.int().check(z.describe('Number of these sessions.')),
      }),
    ),
    failures: { 404: 'The session `afterId` does not exist.' },
  },
} as const satisfies Record<string, ChatRoute>;
