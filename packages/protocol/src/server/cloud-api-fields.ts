import * as z from 'zod/mini';
import { imageBlockSchema, textBlockSchema } from '../content.js';
import { lazySchema } from '../lazy-schema.js';
import { permissionModeSchema } from '../modes.js';
import {
  allowedToolsField,
  isoTimeField,
  metadataSchema,
  nonEmptyText,
  promptPriorityField,
  questionPolicySchema,
  sandboxField,
  sandboxStateField,
} from './chat-api-fields.js';
import type { TokenScope } from './token-scopes.js';

export interface CloudRoute {
  /** The scope that a token needs. */
  readonly scope: TokenScope;
  readonly meaning: string;
  /** Query parameters, with `limit` as a number. Others are ignored. */
  readonly query: z.ZodMiniType;
  readonly request: z.ZodMiniType;
  readonly response: z.ZodMiniType;
  readonly form?: 'json' | 'event-stream';
  /** Optional request headers, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly failures: Readonly<Record<number, string>>;
}

export const noQuery = lazySchema(() => z.object({}));
/** For clients that cannot send headers. */
export const streamQuery = lazySchema(() =>
  z.object({
    ticket: z.optional(nonEmptyText('A stream ticket, instead of the token.')),
    last_event_id: z.optional(nonEmptyText('Alternative to the header Last-Event-ID, which takes precedence.')),
  }),
);

export const noBody = z.undefined();

const limitField = z.optional(z.int().check(z.gte(1), z.lte(1000), z.describe('Default 20.')));
const afterIdField = z.optional(nonEmptyText('ID of the last item that the client has; returns the items after it.'));

/** Start and size of a page. */
export const pageQuery = lazySchema(() => z.object({ limit: limitField, after_id: afterIdField }));

/** The same for events, which can be paged backwards. Always oldest first. */
export const eventPageQuery = lazySchema(() =>
  z
    .object({
      limit: limitField,
      after_id: afterIdField,
      before_id: z.optional(nonEmptyText('ID of the first event that the client has; returns the events before it.')),
    })
    .check(
      z.refine(
        ({ after_id, before_id }) => after_id === undefined || before_id === undefined,
        'expected one of after_id and before_id',
      ),
    ),
);

export const listOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({
    data: z.array(item),
    first_id: z.nullable(z.string()),
    last_id: z.nullable(z.string()),
    has_more: z
      .boolean()
      .check(z.describe('Whether there are more items after this page, or before it with `before_id`.')),
  });

const agentSchema = lazySchema(() =>
  z.object({ id: nonEmptyText('Any.'), type: z.literal('agent'), version: z.number() }),
);

/** All optional: there is one agent and one environment. */
export const newCloudSessionSchema = lazySchema(() =>
  z.object({
    agent: z.optional(
      z.union([
        nonEmptyText('ID of an agent.'),
        z.object({ id: nonEmptyText('Any.'), type: z.optional(z.literal('agent')), version: z.optional(z.number()) }),
      ]),
    ),
    environment_id: z.optional(nonEmptyText('Any value; returned unchanged.')),
    title: z.optional(z.nullable(z.string().check(z.maxLength(1000)))),
    incremental_streaming_enabled: z.optional(
      z.boolean().check(z.describe('Whether answers also arrive as deltas. Cannot be changed later. Default false.')),
    ),
    metadata: z.optional(metadataSchema),
    workspace_root: z.optional(nonEmptyText("The agent's working folder. Default: the server's.")),
    model: z.optional(nonEmptyText('Default: the model of the settings.')),
    approval_mode: z.optional(permissionModeSchema),
    sandbox: z.optional(sandboxField),
    question_policy: z.optional(questionPolicySchema),
    allowed_tools: z.optional(allowedToolsField),
    shared: z.optional(z.boolean().check(z.describe('Whether other tokens can use the session. Default false.'))),
  }),
);

export const cloudSessionSchema = lazySchema(() =>
  z.object({
    type: z.literal('session'),
    id: z.string().check(z.describe('`sess_…`')),
    status: z.enum(['idle', 'processing']),
    incremental_streaming_enabled: z.boolean(),
    agent: agentSchema,
    environment_id: z.string(),
    title: z.nullable(z.string()),
    metadata: metadataSchema,
    workspace_root: z.string(),
    sandbox: z.optional(sandboxStateField),
    created_at: isoTimeField,
    updated_at: isoTimeField,
  }),
);
export type CloudSession = z.infer<typeof cloudSessionSchema>;

export const cloudThreadSchema = lazySchema(() =>
  z.object({
    type: z.literal('session_thread'),
    id: z.string(),
    session_id: z.string(),
    parent_tool_use_id: z
      .nullable(z.string())
      .check(z.describe('The tool call that started the subagent; null for the main thread.')),
    turn_id: z.nullable(z.string()),
    created_at: isoTimeField,
  }),
);
export type CloudThread = z.infer<typeof cloudThreadSchema>;

/** Events a client may send. */
export const inputEventSchema = lazySchema(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('user.message'),
      content: z.union([
        nonEmptyText('Equivalent to one text block.'),
        z
          .array(z.discriminatedUnion('type', [textBlockSchema, imageBlockSchema]))
          .check(z.minLength(1), z.maxLength(100)),
      ]),
      priority: z.optional(promptPriorityField('later')),
    }),
    z.object({ type: z.literal('user.interrupt') }),
  ]),
);

/** Answer to a permission question. */
export const cloudVerdictSchema = lazySchema(() =>
  z.discriminatedUnion('behavior', [
    z.object({
      behavior: z.literal('allow'),
      updated_input: z.optional(z.record(z.string(), z.unknown()).check(z.describe('Replaces the input of the call.'))),
      suggestion: z.optional(
        z.int().check(z.gte(0), z.describe('Index of a suggestion whose rules apply from now on.')),
      ),
    }),
    z.object({
      behavior: z.literal('deny'),
      message: z.optional(z.string().check(z.describe('The reason for a denial; the model reads it.'))),
    }),
  ]),
);

export const cloudErrorSchema = lazySchema(() =>
  z.object({
    type: z.literal('error'),
    error: z.object({
      type: z.string().check(z.describe('The kind of failure.')),
      message: z.string().check(z.describe('The problem and its location.')),
      code: z.optional(z.string().check(z.describe('The specific kind of failure.'))),
      error_id: z.optional(z.string().check(z.describe("Identifies an internal error in the server's log."))),
    }),
  }),
);
export type CloudError = z.infer<typeof cloudErrorSchema>;
