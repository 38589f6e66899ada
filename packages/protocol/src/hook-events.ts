import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { nullish } from './nullish.js';
import { openObject } from './open-object.js';

/**
 * The moments at which hooks run, by the names under which peers know them.
 *
 * @example
 * import { HOOK_EVENTS, query, type QueryHooks } from '@qwen/sdk';
 *
 * const hooks: QueryHooks = Object.fromEntries(
 *   HOOK_EVENTS.map((event) => [event, [{ hooks: [async () => console.log(event)] }]]),
 * );
 * for await (const message of query({ prompt: 'hi', options: { hooks } })) console.log(message);
 */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'SessionStart',
  'SessionEnd',
  'PreCompact',
  'Notification',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** What every hook is told. */
const common = {
  session_id: z.string(),
  /** The session file; empty when nothing is stored. */
  transcript_path: z.string(),
  cwd: z.string(),
  permission_mode: z.string(),
};

const tool = {
  tool_name: z.string(),
  tool_input: z.unknown(),
  tool_use_id: z.string(),
  /** The task call, for calls of a subagent. */
  parent_tool_use_id: nullish(z.string()),
  agent: z.optional(z.string()),
};

/** Input of a hook, by `hook_event_name`: the argument of a callback, or the stdin of a command. */
export const hookInputSchema = lazySchema(() =>
  z.discriminatedUnion('hook_event_name', [
    openObject({ ...common, hook_event_name: z.literal('PreToolUse'), ...tool }),
    openObject({
      ...common,
      hook_event_name: z.literal('PostToolUse'),
      ...tool,
      /** Text or content blocks, as the model reads them. */
      tool_response: z.unknown(),
      is_error: z.boolean(),
    }),
    openObject({ ...common, hook_event_name: z.literal('UserPromptSubmit'), prompt: z.string() }),
    openObject({
      ...common,
      hook_event_name: z.literal('Stop'),
      /** True when a Stop hook made the agent continue: a hook must not do so forever. */
      stop_hook_active: z.boolean(),
    }),
    openObject({
      ...common,
      hook_event_name: z.literal('SubagentStop'),
      stop_hook_active: z.boolean(),
      agent: z.string(),
      parent_tool_use_id: z.string(),
    }),
    openObject({
      ...common,
      hook_event_name: z.literal('SessionStart'),
      source: z.enum(['startup', 'resume', 'fork', 'compact', 'clear']),
    }),
    openObject({ ...common, hook_event_name: z.literal('SessionEnd'), reason: z.string() }),
    openObject({ ...common, hook_event_name: z.literal('PreCompact'), trigger: z.enum(['auto', 'manual']) }),
    openObject({
      ...common,
      hook_event_name: z.literal('Notification'),
      /** A stable code such as `permission_prompt`. */
      notification_type: z.string(),
      message: z.string(),
    }),
  ]),
);
export type HookInput = z.infer<typeof hookInputSchema>;
/** The input of one kind of hook. */
export type HookInputOf<E extends HookEvent> = Extract<HookInput, { hook_event_name: E }>;

/** Output of a hook: the return value of a callback, or the stdout of a command. An empty object changes nothing. */
export const hookOutputSchema = lazySchema(() =>
  openObject({
    continue: nullish(z.boolean()),
    stopReason: nullish(z.string()),
    /** A warning for the user. */
    systemMessage: nullish(z.string()),
    /** `block`: reject the prompt, skip the call, or keep the agent from stopping. `approve` means allow. */
    decision: nullish(z.enum(['approve', 'block'])),
    /** The reason, for the model. */
    reason: nullish(z.string()),
    hookSpecificOutput: nullish(
      openObject({
        hookEventName: z.optional(z.string()),
        /** PreToolUse. Deny wins over ask, ask over allow; deny rules win over all hooks. */
        permissionDecision: nullish(z.enum(['allow', 'deny', 'ask'])),
        permissionDecisionReason: nullish(z.string()),
        /** PreToolUse: replaces the input; validated like input of the model. */
        updatedInput: nullish(z.record(z.string(), z.unknown())),
        /** Text added to the prompt or the result for the model. */
        additionalContext: nullish(z.string()),
      }),
    ),
  }),
);
export type HookOutput = z.infer<typeof hookOutputSchema>;
