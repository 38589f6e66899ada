import * as z from 'zod/mini';
import { EFFORTS } from '../effort.js';
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

const titleField = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

const FAILED_UPDATE = 'The session does not exist, or the folder cannot be its workspace.';

/** The optional members are missing in responses of servers that implement only the HTTP document. */
const listedMembers = () => ({
  id: z.string(),
  createdAt: isoTimeField,
  lastActivity: isoTimeField,
  title: z.optional(z.string()),
  workspaceRoot: z.optional(z.string()),
  model: z.optional(z.string().check(z.describe('Missing: the model of the settings.'))),
  approvalMode: z.optional(permissionModeSchema),
  effort: z.optional(z.enum(EFFORTS).check(z.describe('Missing: the effort of the settings.'))),
  activity: z.optional(
    z
      .enum(['idle', 'running', 'waiting'])
      .check(z.describe('`running`: a turn is queued or running; `waiting`: it waits for the answer to a question.')),
  ),
  archived: z.optional(z.boolean()),
  metadata: metadataSchema,
});

const linkMembers = () => ({
  id: z.string(),
  ticket: z.string().check(z.describe('A bearer token. On the web page: `#share=<ticket>`.')),
  createdAt: isoTimeField,
  expiresAt: isoTimeField,
});

export const SESSION_ROUTES = {
  '/api/session': {
    scope: 'write',
    meaning: 'Creates a session.',
    request: lazySchema(() => z.object({ ...NEW_SESSION_MEMBERS, metadata: z.optional(metadataSchema) })),
    response: lazySchema(() => z.object({ sessionId: z.string(), createdAt: isoTimeField })),
    failures: {},
  },
  '/api/session/fork': {
    scope: 'write',
    meaning:
      'Copies a session with its settings, events and conversation. Files and the list of `/api/chat/history` are not copied. A mode that asks less than `default` needs the scope `approve`.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdField,
        requestId: z.optional(nonEmptyText('Of a message: the copy ends before it. Default: copy everything.')),
      }),
    ),
    response: lazySchema(() => z.object({ sessionId: z.string(), createdAt: isoTimeField })),
    failures: {
      404: `${NO_SESSION} Or it has no such message.`,
      409: 'A turn is running, and `requestId` is missing.',
    },
  },
  '/api/session/get': {
    scope: 'read',
    meaning: 'Returns a session.',
    request: sessionOnlySchema,
    response: lazySchema(() =>
      z.object({
        ...listedMembers(),
        userId: z.string().check(z.describe('The owner; `local-user` if it has none.')),
        duration: z.int().check(z.describe('Milliseconds from `createdAt` to `lastActivity`.')),
        messageCount: z.int(),
        sandbox: z.optional(sandboxStateField),
      }),
    ),
    failures: { 404: NO_SESSION },
  },
  '/api/session/update': {
    scope: 'write',
    meaning:
      'Renames or archives a session, or changes its model, approval mode or effort from the next turn on. Missing members do not change; null resets to the default. Only for its owner and administrators; a mode that asks less than `default` needs the scope `approve`.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdField,
        title: z.optional(z.nullable(titleField)),
        archived: z.optional(z.boolean()),
        model: z.optional(z.nullable(nonEmptyText('Null: the model of the settings.'))),
        approvalMode: z.optional(permissionModeSchema),
        effort: z.optional(z.nullable(z.enum(EFFORTS))),
      }),
    ),
    response: lazySchema(() => z.object(listedMembers())),
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
    meaning: 'Adds folders to the workspace of a session. The next message informs the model.',
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
  '/api/session/links/create': {
    scope: 'write',
    meaning:
      'Creates a link with which anyone can read one session, and nothing else. Only for its owner and administrators.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdField,
        lifetimeHours: z.optional(z.number().check(z.gt(0), z.lte(24 * 90), z.describe('Default 168, a week.'))),
      }),
    ),
    response: lazySchema(() => z.object(linkMembers())),
    failures: { 404: NO_SESSION, 409: 'The session has 20 links.' },
  },
  '/api/session/links/list': {
    scope: 'write',
    meaning: 'Lists the links of a session that have not expired. Only for its owner and administrators.',
    request: sessionOnlySchema,
    response: lazySchema(() => z.object({ links: z.array(z.object(linkMembers())) })),
    failures: { 404: NO_SESSION },
  },
  '/api/session/links/revoke': {
    scope: 'write',
    meaning: 'Revokes a link of a session; its open streams end within seconds.',
    request: lazySchema(() => z.object({ sessionId: sessionIdField, linkId: nonEmptyText('From the list.') })),
    response: lazySchema(() => z.object({ success: z.literal(true) })),
    failures: { 404: NO_SESSION },
  },
  '/api/sessions/list': {
    scope: 'read',
    meaning: 'Lists the sessions that the token can see, newest first.',
    request: lazySchema(() =>
      z.object({
        limit: z.optional(z.int().check(z.gte(1), z.lte(1000), z.describe('Default 1000.'))),
        afterId: z.optional(nonEmptyText('The last session of the previous page.')),
        archived: z.optional(z.boolean().check(z.describe('Only archived sessions, or only others. Default: all.'))),
        search: z.optional(
          z
            .string()
            .check(z.maxLength(200), z.describe('Words that the title or the folder must contain, in any case.')),
        ),
      }),
    ),
    response: lazySchema(() =>
      z.object({
        sessions: z.array(z.object(listedMembers())),
        total: z.int().check(z.describe('Number of these sessions.')),
      }),
    ),
    failures: { 404: 'The session `afterId` does not exist.' },
  },
} as const satisfies Record<string, ChatRoute>;
