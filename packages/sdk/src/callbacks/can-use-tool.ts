import {
  AgentError,
  type ControlHandler,
  type ControlPayload,
  type ControlResult,
  type PermissionSuggestion,
  type PermissionUpdate,
  permissionUpdateSchema,
} from '@qwen/protocol';
import * as z from 'zod/mini';

/** Input of a tool call, by parameter name. */
export type ToolInput = Record<string, unknown>;

/** Details of a permission request. */
export interface CanUseToolContext {
  /** Aborts when the request is withdrawn: after its timeout, an interrupt, or the end of the query. */
  readonly signal: AbortSignal;
  /** Answers to offer to a person; null if there are none. */
  readonly suggestions: readonly PermissionSuggestion[] | null;
  /** Id of the call, as in the `tool_use` block. */
  readonly toolUseId: string;
  /** The path outside the workspace that caused the request. */
  readonly blockedPath: string | null;
  /** Human-readable reason for the request. */
  readonly reason: string | undefined;
  /** Name of the subagent; undefined for the main agent. */
  readonly agent: string | undefined;
  /** Id of the call that started the subagent; null for the main agent. */
  readonly parentToolUseId: string | null;
}

/** Answer to a permission request. A denial with `interrupt` also stops the turn. */
export type PermissionResult =
  | {
      behavior: 'allow';
      /** Replaces the input; validated like one of the model. Default: unchanged. */
      updatedInput?: ToolInput | undefined;
      /** Rules to add, such as those of a suggestion. */
      updatedPermissions?: readonly PermissionUpdate[] | undefined;
    }
  | {
      behavior: 'deny';
      /** Shown to the model. */
      message: string;
      interrupt?: boolean | undefined;
      /** Rules to add, such as those of a suggestion. */
      updatedPermissions?: readonly PermissionUpdate[] | undefined;
    };

/**
 * Decides whether a tool may run, for calls that neither the permission mode nor a rule decides. Calls may overlap,
 * and a callback may use its own query. A throw, a malformed answer and an answer after `signal` aborted are denials.
 *
 * @example
 * import type { CanUseTool } from '@qwen/sdk';
 *
 * const canUseTool: CanUseTool = async (toolName, input) =>
 *   toolName === 'read_file' ? { behavior: 'allow' } : { behavior: 'deny', message: 'Read-only session.' };
 */
export type CanUseTool = (
  toolName: string,
  input: ToolInput,
  context: CanUseToolContext,
) => PermissionResult | Promise<PermissionResult>;

/**
 * The rules of a suggestion, for `updatedPermissions`; empty if it has none.
 *
 * @example
 * import { type CanUseTool, toPermissionUpdates } from '@qwen/sdk';
 *
 * const canUseTool: CanUseTool = async (toolName, input, { suggestions }) => {
 *   const always = suggestions?.find(({ type }) => type === 'allow');
 *   return { behavior: 'allow', updatedPermissions: always && toPermissionUpdates(always) };
 * };
 */
export function toPermissionUpdates(suggestion: PermissionSuggestion): PermissionUpdate[] {
  const { type, rules = [], destination = 'session' } = suggestion;
  if (type === 'modify' || rules.length === 0) return [];
  return [{ type: 'addRules', rules, behavior: type, destination }];
}

const toolInputSchema = z.record(z.string(), z.unknown());

// Lazy, like every schema that a start does not need: creating them takes longer than loading them.
const permissionResultSchema = z.lazy(() =>
  z.discriminatedUnion('behavior', [
    z.object({
      behavior: z.literal('allow'),
      updatedInput: z.nullish(toolInputSchema),
      updatedPermissions: z.nullish(z.array(permissionUpdateSchema)),
    }),
    z.object({
      behavior: z.literal('deny'),
      message: z.optional(z.string()),
      interrupt: z.nullish(z.boolean()),
      updatedPermissions: z.nullish(z.array(permissionUpdateSchema)),
    }),
  ]),
);

type Request = ControlPayload<'can_use_tool'>;
type Answer = ControlResult<'can_use_tool'>;

/**
 * Serves `can_use_tool`. A missing callback, a throw and a malformed answer are denials with the reason; the last
 * two also go to `onProblem`.
 */
export function createCanUseToolHandler(
  canUseTool: CanUseTool | undefined,
  onProblem: (error: AgentError) => void,
): ControlHandler<'can_use_tool'> {
  if (canUseTool === undefined) return () => deny('Denied: this app does not answer permission requests.');
  return async (request, { signal }) => {
    try {
      return toAnswer(await call(canUseTool, request, signal));
    } catch (thrown) {
      const error = AgentError.from(thrown, 'handler_failed');
      onProblem(error);
      return deny(error.message);
    }
  };
}

async function call(canUseTool: CanUseTool, request: Request, signal: AbortSignal): Promise<unknown> {
  return canUseTool(request.tool_name, readInput(request.input), {
    signal,
    suggestions: request.permission_suggestions ?? null,
    toolUseId: request.tool_use_id,
    blockedPath: request.blocked_path ?? null,
    reason: request.reason,
    agent: request.agent,
    parentToolUseId: request.parent_tool_use_id ?? null,
  });
}

/** Not coerced: the app must judge the very input that would run. */
function readInput(input: unknown): ToolInput {
  const parsed = toolInputSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new AgentError('invalid_payload', 'The tool input is not an object.');
}

function toAnswer(result: unknown): Answer {
  const parsed = permissionResultSchema.safeParse(result);
  if (!parsed.success) {
    throw new AgentError('invalid_payload', 'canUseTool must return { behavior: "allow" } or { behavior: "deny" }.');
  }
  const answer = parsed.data;
  const permissions = answer.updatedPermissions ? { updatedPermissions: answer.updatedPermissions } : {};
  if (answer.behavior === 'allow') {
    return { behavior: 'allow', ...(answer.updatedInput && { updatedInput: answer.updatedInput }), ...permissions };
  }
  const { message = 'Denied.', interrupt } = answer;
  return { ...deny(message), ...(interrupt === true && { interrupt }), ...permissions };
}

function deny(message: string): Answer {
  return { behavior: 'deny', message };
}
