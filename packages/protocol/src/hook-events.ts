import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { nullish } from './nullish.js';
import { openObject } from './open-object.js';

/** The moments at which hooks run, by the names under which peers know them. */
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
  /** The call of the task tool, when a subagent calls. */
  parent_tool_use_id: nullish(z.string()),
  agent: z.optional(z.string()),
};

/** The input of a hook, told apart by `hook_event_name`: the argument of a callback, stdin of a command. */
export const hookInputSchema = lazySchema(() =>
  z.discriminatedUnion('hook_event_name', [
    openObject({ ...common, hook_event_name: z.literal('PreToolUse'), ...tool }),
    openObject({
      ...common,
      hook_event_name: z.literal('PostToolUse'),
      ...tool,
      /** What the model will read: text or content blocks. */
      tool_response: z.unknown(),
      is_error: z.boolean(),
    }),
    openObject({ ...common, hook_event_name: z.literal('UserPromptSubmit'), prompt: z.string() }),
    openObject({
      ...common,
      hook_event_name: z.literal('Stop'),
      /** True when the agent goes on because a Stop hook wanted it to: a hook must not want it for ever. */
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
      /** For programs, such as `permission_prompt`. */
      notification_type: z.string(),
      message: z.string(),
    }),
  ]),
);
export type HookInput = z.infer<typeof hookInputSchema>;
/** The input of one kind of hook. */
export type HookInputOf<E extends HookEvent> = Extract<HookInput, { hook_event_name: E }>;

/**
 * What a hook answers: the return value of a callback, stdout of a command. Everything is optional; an empty object
 * means that nothing shall change.
 */
export const hookOutputSchema = lazySchema(() =>
  openObject({
    /** False ends the turn, with `stopReason` for people. */
    continue: nullish(z.boolean()),
    stopReason: nullish(z.string()),
    /** A warning for people. */
    systemMessage: nullish(z.string()),
    /** `block`: the prompt is not taken, the call does not run, the agent does not stop yet. `approve` is read as allow. */
    decision: nullish(z.enum(['approve', 'block'])),
    /** Why; the model reads it. */
    reason: nullish(z.string()),
    hookSpecificOutput: nullish(
      openObject({
        hookEventName: z.optional(z.string()),
        /** PreToolUse. Deny wins over ask, ask over allow; deny rules win over every hook. */
        permissionDecision: nullish(z.enum(['allow', 'deny', 'ask'])),
        permissionDecisionReason: nullish(z.string()),
        /** PreToolUse: replaces the input, which is checked like an input of the model. */
        updatedInput: nullish(z.record(z.string(), z.unknown())),
        /** Text that the model reads beside the prompt or the result. */
        additionalContext: nullish(z.string()),
      }),
    ),
  }),
);
export type HookOutput = z.infer<typeof hookOutputSchema>;
