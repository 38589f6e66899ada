import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { nullish } from './nullish.js';
import { openObject } from './open-object.js';
import { nearestName } from './text/nearest-name.js';

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
  'PostToolUseFailure',
  'PermissionRequest',
  'UserPromptSubmit',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'SessionStart',
  'SessionEnd',
  'PreCompact',
  'Notification',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Members of every hook input. */
const common = {
  session_id: z.string(),
  /** The session file; empty when nothing is stored. */
  transcript_path: z.string(),
  cwd: z.string(),
  permission_mode: z.string(),
};

const tool = {
  /** The name that the matcher of the hook uses. */
  tool_name: z.string(),
  canonical_tool_name: z.optional(z.string()),
  tool_input: z.unknown(),
  tool_use_id: z.string(),
  /** The task call, for calls of a subagent. */
  parent_tool_use_id: nullish(z.string()),
  agent: z.optional(z.string()),
  /** The same under the names of Claude Code. */
  agent_type: z.optional(z.string()),
  agent_id: z.optional(z.string()),
};

const stop = {
  /** True when such a hook made the agent continue: a hook must not do so forever. */
  stop_hook_active: z.boolean(),
  /** The text that the agent would end with. */
  last_assistant_message: z.optional(z.string()),
};

const subagent = {
  agent: z.string(),
  /** The task call. */
  parent_tool_use_id: z.string(),
  /** The same under the names of Claude Code. */
  agent_type: z.string(),
  agent_id: z.string(),
};

/** The answer of a PermissionRequest hook. */
const permissionDecisionSchema = lazySchema(() =>
  z.discriminatedUnion('behavior', [
    openObject({
      behavior: z.literal('allow'),
      /** Replaces the input; validated and decided like input of the model. */
      updatedInput: nullish(z.record(z.string(), z.unknown())),
      /** Rules to add and modes to set, as in the answer of `can_use_tool`. */
      updatedPermissions: nullish(z.array(z.unknown())),
    }),
    openObject({
      behavior: z.literal('deny'),
      /** The reason, for the model. */
      message: nullish(z.string()),
      /** Ends the turn. */
      interrupt: nullish(z.boolean()),
    }),
  ]),
);

const DECISION_MEMBERS = {
  allow: ['behavior', 'updatedInput', 'updatedPermissions'],
  deny: ['behavior', 'message', 'interrupt'],
} as const;

/** Input of a hook, by `hook_event_name`: the argument of a callback, or the stdin of a command. */
export const hookInputSchema = lazySchema(() =>
  z.discriminatedUnion('hook_event_name', [
    openObject({ ...common, hook_event_name: z.literal('PreToolUse'), ...tool }),
    openObject({
      ...common,
      hook_event_name: z.literal('PostToolUse'),
      ...tool,
      /**
       * Text or content blocks, as the model reads them. If the hook names the tool as another program does: the
       * structured result.
       */
      tool_response: z.unknown(),
      tool_use_result: z.optional(z.unknown()),
      is_error: z.boolean(),
    }),
    openObject({
      ...common,
      hook_event_name: z.literal('PostToolUseFailure'),
      ...tool,
      /** The failure, as the model reads it. */
      error: z.string(),
    }),
    openObject({
      ...common,
      hook_event_name: z.literal('PermissionRequest'),
      ...tool,
      reason: z.string(),
      blocked_path: nullish(z.string()),
      /** In the form that `toolNames` selects, as in `can_use_tool`. */
      permission_suggestions: z.array(z.unknown()),
    }),
    openObject({ ...common, hook_event_name: z.literal('UserPromptSubmit'), prompt: z.string() }),
    openObject({ ...common, hook_event_name: z.literal('Stop'), ...stop }),
    openObject({ ...common, hook_event_name: z.literal('SubagentStart'), ...subagent, prompt: z.string() }),
    openObject({ ...common, hook_event_name: z.literal('SubagentStop'), ...stop, ...subagent }),
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
type HookInputs = { [Input in HookInput as Input['hook_event_name']]: Input };
/** The input of one kind of hook. Not a conditional type: a callback for all events must fit each of them. */
export type HookInputOf<E extends HookEvent> = HookInputs[E];

/** Output of a hook: the return value of a callback, or the stdout of a command. An empty object changes nothing. */
export const hookOutputSchema = lazySchema(() =>
  openObject({
    continue: nullish(z.boolean()),
    stopReason: nullish(z.string()),
    /** A warning for the user. */
    systemMessage: nullish(z.string()),
    /** `block` and `deny`: reject the prompt, skip the call, or keep the agent from stopping. */
    decision: nullish(z.enum(['approve', 'allow', 'block', 'deny', 'ask'])),
    reason: nullish(z.string()),
    /** In Claude Code, hides stdout; here, stdout is never shown. */
    suppressOutput: nullish(z.boolean()),
    /** The hook works in the background and decides nothing. Invalid for guards. */
    async: nullish(z.boolean()),
    asyncTimeout: nullish(z.number()),
    hookSpecificOutput: nullish(
      openObject({
        hookEventName: z.optional(z.string()),
        /** PreToolUse. Deny wins over ask, ask over allow; deny rules win over all hooks. */
        permissionDecision: nullish(z.enum(['allow', 'deny', 'ask'])),
        permissionDecisionReason: nullish(z.string()),
        /** PreToolUse: replaces the input; validated like input of the model. */
        updatedInput: nullish(z.record(z.string(), z.unknown())),
        /** PermissionRequest: answers the question instead of the user. */
        decision: nullish(permissionDecisionSchema),
        /** Text added to the prompt or the result for the model. */
        additionalContext: nullish(z.string()),
        /** PostToolUse: replaces the result: text, content blocks, or an object with them as `content`. */
        updatedToolOutput: z.optional(z.unknown()),
        /** The same; `updatedToolOutput` takes precedence. */
        updatedMCPToolOutput: z.optional(z.unknown()),
      }),
    ),
  }),
);
export type HookOutput = z.infer<typeof hookOutputSchema>;

const OUTPUT_MEMBERS: readonly string[] = [
  'continue',
  'stopReason',
  'systemMessage',
  'decision',
  'reason',
  'suppressOutput',
  'async',
  'asyncTimeout',
  'hookSpecificOutput',
] satisfies (keyof HookOutput)[];

type SpecificMember = keyof NonNullable<HookOutput['hookSpecificOutput']>;

const SPECIFIC_MEMBERS: Readonly<Record<HookEvent, readonly SpecificMember[]>> = {
  PreToolUse: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
  PostToolUse: ['additionalContext', 'updatedToolOutput', 'updatedMCPToolOutput'],
  PostToolUseFailure: ['additionalContext'],
  PermissionRequest: ['decision'],
  UserPromptSubmit: ['additionalContext'],
  Stop: [],
  SubagentStart: ['additionalContext'],
  SubagentStop: [],
  SessionStart: ['additionalContext'],
  SessionEnd: [],
  PreCompact: ['additionalContext'],
  Notification: [],
};

const NOT_BLOCKABLE: ReadonlySet<HookEvent> = new Set(['SubagentStart', 'SessionStart', 'SessionEnd', 'Notification']);
const GUARDS: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PermissionRequest', 'UserPromptSubmit']);

/** What an output requests that has no effect at this event. An ignored request of a guard would be a hole. */
export function unsupportedHookOutput(event: HookEvent, output: HookOutput): string | undefined {
  const { decision, hookSpecificOutput: specific, async: isAsync } = output;
  const unknown = givenMembers(output).find((name) => !OUTPUT_MEMBERS.includes(name));
  if (unknown !== undefined) return unsupported(unknown, OUTPUT_MEMBERS);
  if (isAsync === true && GUARDS.has(event)) {
    return `async: a hook of ${event} must answer before the action`;
  }
  if (decision && event === 'PermissionRequest') {
    return 'decision has no effect at PermissionRequest; use hookSpecificOutput.decision with a behavior';
  }
  if (decision === 'ask' && event !== 'PreToolUse') return `decision: ask has no effect at ${event}`;
  if ((decision === 'block' || decision === 'deny') && NOT_BLOCKABLE.has(event)) {
    return `decision: ${event} cannot be blocked`;
  }
  const { hookEventName: named, ...members } = specific ?? {};
  if (typeof named === 'string' && named !== event) return `it answered for the event ${named}`;
  const known: readonly string[] = SPECIFIC_MEMBERS[event];
  const useless = givenMembers(members).find((name) => !known.includes(name));
  if (useless === undefined) return uselessDecision(members.decision);
  const events = HOOK_EVENTS.filter((other) => SPECIFIC_MEMBERS[other].some((member) => member === useless));
  const name = `hookSpecificOutput.${useless}`;
  return events.length === 0
    ? unsupported(name, known)
    : `${name} has no effect at ${event}, only at ${events.join(', ')}`;
}

function uselessDecision(decision: NonNullable<HookOutput['hookSpecificOutput']>['decision']): string | undefined {
  if (!decision) return undefined;
  const known: readonly string[] = DECISION_MEMBERS[decision.behavior];
  const useless = givenMembers(decision).find((name) => !known.includes(name));
  return useless === undefined
    ? undefined
    : `hookSpecificOutput.decision.${useless} has no effect with ${decision.behavior}`;
}

function unsupported(name: string, known: readonly string[]): string {
  const nearest = nearestName(name.slice(name.indexOf('.') + 1), known);
  return `${name} is not supported${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}

/** Missing and null are equivalent. */
function givenMembers(value: object): string[] {
  return Object.entries(value).flatMap(([name, member]) => (member === undefined || member === null ? [] : [name]));
}
