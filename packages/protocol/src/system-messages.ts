import * as z from 'zod/mini';
import { budgetSchema } from './budget.js';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';
import { openUnion } from './open-union.js';

// System messages of the sdk dialect, in snake_case as on the wire.

const parentToolUseId = z.optional(z.nullable(z.string()));

const compaction = () =>
  openObject({ trigger: z.string(), pre_tokens: z.number(), post_tokens: z.optional(z.number()) });
const sessionKey = () => openObject({ projectKey: z.string(), sessionId: z.string(), subpath: z.optional(z.string()) });
const systemLine = { type: z.literal('system'), uuid: z.string(), session_id: z.string() };

/** Opens each turn: what the agent works with. Members that another CLI leaves out read as empty. */
export const initMessageSchema = lazySchema(() =>
  openObject({
    ...systemLine,
    subtype: z.literal('init'),
    cwd: z._default(z.string(), ''),
    /** Names of the tools offered to the model. */
    tools: z._default(z.array(z.string()), []),
    mcp_servers: z._default(z.array(openObject({ name: z.string(), status: z.string() })), []),
    model: z._default(z.string(), ''),
    permission_mode: z._default(z.string(), 'default'),
    /** The mode by the name of Claude Code; the SDK adds it with `toolNames: 'claude'`. */
    permissionMode: z.optional(z.string()),
    sandbox: z.optional(z.string()),
    slash_commands: z._default(z.array(z.string()), []),
    agents: z._default(z.array(z.string()), []),
    /** Names of the skills that the model or the user can load. */
    skills: z.optional(z.array(z.string())),
    /** The loaded plugins, with their folders. */
    plugins: z.optional(z.array(openObject({ name: z.string(), path: z.string() }))),
    qwen_code_version: z._default(z.string(), ''),
    protocol_version: z.optional(z.number()),
  }),
);
export type SDKInitMessage = z.infer<typeof initMessageSchema>;

const failedModel = { code: z.string(), message: z.string(), parent_tool_use_id: parentToolUseId };

const backgroundTask = {
  task_id: z.string(),
  /** The call that started it. */
  tool_use_id: z.optional(z.string()),
  description: z.string(),
  task_type: z.optional(z.string()),
};

const taskUsage = () =>
  openObject({ total_tokens: z.number(), tool_uses: z.number(), /** Milliseconds. */ duration_ms: z.number() });

/** News about the session, distinguished by `subtype`. */
export const systemMessageSchema = lazySchema(() =>
  openUnion(
    [
      'init',
      'model_changed',
      'permission_mode_changed',
      'model_fallback',
      'retry',
      'budget',
      'compact_boundary',
      'history_changed',
      'notice',
      'hook_event',
      'task_started',
      'task_progress',
      'task_notification',
      'mirror_error',
      'error',
    ],
    [
      initMessageSchema,
      openObject({
        ...systemLine,
        subtype: z.literal('model_changed'),
        model: z.string(),
        data: z.optional(openObject({ model: z.string() })),
      }),
      openObject({
        ...systemLine,
        subtype: z.literal('permission_mode_changed'),
        permission_mode: z.string(),
        data: z.optional(openObject({ mode: z.string() })),
      }),
      openObject({
        ...systemLine,
        subtype: z.literal('model_fallback'),
        data: openObject({ from: z.string(), to: z.string(), ...failedModel }),
      }),
      openObject({
        ...systemLine,
        subtype: z.literal('retry'),
        data: openObject({ attempt: z.number(), /** Milliseconds. */ delay_ms: z.number(), ...failedModel }),
      }),
      openObject({
        ...systemLine,
        subtype: z.literal('budget'),
        data: openObject({ remaining: budgetSchema, parent_tool_use_id: parentToolUseId }),
      }),
      /** A summary replaced the older part of the conversation. */
      openObject({
        ...systemLine,
        subtype: z.literal('compact_boundary'),
        compact_metadata: compaction(),
        data: z.optional(openObject({ parent_tool_use_id: parentToolUseId })),
      }),
      openObject({
        ...systemLine,
        subtype: z.literal('history_changed'),
        data: openObject({ reason: z.string(), messages: z.number() }),
      }),
      /** For people. Some codes add members to `data`. */
      openObject({
        ...systemLine,
        subtype: z.literal('notice'),
        data: openObject({ code: z.string(), message: z.string(), parent_tool_use_id: parentToolUseId }),
      }),
      openObject({
        ...systemLine,
        subtype: z.literal('hook_event'),
        data: openObject({
          hook_event_name: z.string(),
          hook: z.string(),
          outcome: z.string(),
          duration_ms: z.number(),
        }),
      }),
      /** A command runs in the background. */
      openObject({ ...systemLine, subtype: z.literal('task_started'), ...backgroundTask }),
      /** It wrote output; at most one every few seconds. */
      openObject({
        ...systemLine,
        subtype: z.literal('task_progress'),
        ...backgroundTask,
        usage: taskUsage(),
        /** The last line of its output. */
        summary: z.optional(z.string()),
      }),
      /** It ended; also between turns. */
      openObject({
        ...systemLine,
        subtype: z.literal('task_notification'),
        ...backgroundTask,
        status: z.enum(['completed', 'failed', 'stopped']),
        /** Empty if there is none. */
        output_file: z.string(),
        summary: z.string(),
        usage: z.optional(taskUsage()),
      }),
      /** Emitted by the SDK: a session store lacks some entries. */
      openObject({ ...systemLine, subtype: z.literal('mirror_error'), error: z.string(), key: sessionKey() }),
      /** A line of the app that the CLI could not use; `fatal`: the reason why the CLI ends. */
      openObject({
        ...systemLine,
        subtype: z.literal('error'),
        data: openObject({
          code: z.string(),
          message: z.string(),
          line_number: z.optional(z.number()),
          fatal: z.optional(z.boolean()),
        }),
      }),
    ],
    { member: 'subtype', shared: systemLine },
  ),
);
type AnySystemMessage = z.infer<typeof systemMessageSchema>;

type InitMember =
  | 'agents'
  | 'cwd'
  | 'mcp_servers'
  | 'model'
  | 'permission_mode'
  | 'qwen_code_version'
  | 'slash_commands'
  | 'tools';

/** Lets an app read members of `init` without asking for the subtype first. */
type WithoutInit<Message> = Message extends { subtype: 'init' }
  ? Message
  : Message & { [Name in Exclude<InitMember, keyof Message>]?: undefined };

export type SDKSystemMessage = WithoutInit<AnySystemMessage>;
