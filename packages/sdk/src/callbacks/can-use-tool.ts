import {
  AgentError,
  type ControlHandler,
  type ControlHandlerContext,
  type ControlPayload,
  type ControlResult,
  describeIssue,
  isJsonObject,
  nearestName,
  type PermissionSuggestion,
  type PermissionUpdate,
  readPermissionUpdates,
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
  /** Id of the permission request on the wire. */
  readonly requestId: string;
  /** The path outside the workspace that caused the request. */
  readonly blockedPath: string | null;
  /** Human-readable reason for the request. */
  readonly reason: string | undefined;
  /** Name of the subagent; undefined for the main agent. */
  readonly agent: string | undefined;
  /** Id of the call that started the subagent; null for the main agent. */
  readonly parentToolUseId: string | null;
  /** Name of `toolUseId` in the Claude Agent SDK. */
  readonly toolUseID: string;
  /** Name of `reason` in the Claude Agent SDK. */
  readonly decisionReason: string | undefined;
  /** Name of `parentToolUseId` in the Claude Agent SDK; undefined for the main agent. */
  readonly agentID: string | undefined;
}

/** Answer to a permission request. A denial with `interrupt` also stops the turn. */
export type PermissionResult =
  | {
      behavior: 'allow';
      /** Replaces the input; validated like one of the model. Default, and if empty: unchanged. */
      updatedInput?: ToolInput | undefined;
      /** Rules to add or a mode to set, or suggestions that were passed back. */
      updatedPermissions?: readonly (PermissionUpdate | PermissionSuggestion)[] | null | undefined;
      /** Has no effect: the answer belongs to the call that was asked about. */
      toolUseID?: string | undefined;
      /** Has no effect: `updatedPermissions` alone decides what is remembered. */
      decisionClassification?: PermissionDecisionClassification | undefined;
    }
  | {
      behavior: 'deny';
      /** Shown to the model. */
      message: string;
      interrupt?: boolean | undefined;
      /** Rules to add or a mode to set, or suggestions that were passed back. */
      updatedPermissions?: readonly (PermissionUpdate | PermissionSuggestion)[] | null | undefined;
      /** Has no effect: the answer belongs to the call that was asked about. */
      toolUseID?: string | undefined;
      /** Has no effect: `updatedPermissions` alone decides what is remembered. */
      decisionClassification?: PermissionDecisionClassification | undefined;
    };

/** How a user decided, in the Claude Agent SDK. */
export type PermissionDecisionClassification = 'user_temporary' | 'user_permanent' | 'user_reject';

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

const toolInputSchema = z.record(z.string(), z.unknown());

// Lazy, like every schema that a start does not need: creating them takes longer than loading them.
const permissionResultSchema = z.lazy(() =>
  z.discriminatedUnion('behavior', [
    z.object({
      behavior: z.literal('allow'),
      updatedInput: z.nullish(toolInputSchema),
    }),
    z.object({
      behavior: z.literal('deny'),
      message: z.optional(z.string()),
      interrupt: z.nullish(z.boolean()),
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
  { asksApp, onProblem }: { readonly asksApp: () => boolean; readonly onProblem: (error: AgentError) => void },
): ControlHandler<'can_use_tool'> {
  if (canUseTool === undefined) {
    return ({ tool_name: name }) => ({
      ...deny('Denied: this app does not answer permission requests.'),
      reason: `No one could answer: set canUseTool to decide in the app, permissionMode to allow more, or allowedTools to ["${name}"].`,
    });
  }
  return async (request, context) => {
    if (!asksApp()) return deny('Denied: this permission mode does not ask for approval.');
    try {
      return toAnswer(await call(canUseTool, request, context));
    } catch (thrown) {
      const reason = `canUseTool failed for ${request.tool_name}: ${AgentError.from(thrown).message}`;
      onProblem(new AgentError('handler_failed', reason, { cause: thrown }));
      // The error of the app is for its developer, not for the model.
      return { ...deny('The permission check failed, so this call was denied.'), reason };
    }
  };
}

async function call(
  canUseTool: CanUseTool,
  request: Request,
  { requestId, signal }: ControlHandlerContext,
): Promise<unknown> {
  const parentToolUseId = request.parent_tool_use_id ?? null;
  return canUseTool(request.tool_name, readInput(request.input), {
    signal,
    suggestions: request.permission_suggestions ?? null,
    toolUseId: request.tool_use_id,
    requestId,
    blockedPath: request.blocked_path ?? null,
    reason: request.reason,
    agent: request.agent,
    parentToolUseId,
    toolUseID: request.tool_use_id,
    decisionReason: request.reason,
    agentID: parentToolUseId ?? undefined,
  });
}

/** Not coerced: the app must judge the very input that would run. */
function readInput(input: unknown): ToolInput {
  const parsed = toolInputSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new AgentError('invalid_payload', 'The tool input is not an object.');
}

/** Throws an error that names the member. */
function toAnswer(result: unknown): Answer {
  const parsed = permissionResultSchema.safeParse(result);
  if (!parsed.success) {
    const problem = describeIssue('answer', parsed.error);
    throw new Error(`canUseTool must return { behavior: "allow" } or { behavior: "deny", message }. ${problem}`);
  }
  const typo = misspelledMember(result);
  if (typo !== undefined) throw new Error(`The answer of canUseTool has no member ${typo}`);
  const answer = parsed.data;
  const updatedPermissions = updatesOf(result);
  const permissions = updatedPermissions.length > 0 ? { updatedPermissions } : {};
  if (answer.behavior === 'allow') {
    const { updatedInput } = answer;
    const isChanged = isJsonObject(updatedInput) && Object.keys(updatedInput).length > 0;
    return { behavior: 'allow', ...(isChanged && { updatedInput }), ...permissions };
  }
  const { message = 'Denied.', interrupt } = answer;
  return { ...deny(message), ...(interrupt === true && { interrupt }), ...permissions };
}

const ANSWER_MEMBERS = [
  'behavior',
  'updatedInput',
  'updatedPermissions',
  'toolUseID',
  'decisionClassification',
] as const;

/** Other names for a change of the call or of the rules. */
const MEANINGS = [
  [/input|args|argument|param/i, 'updatedInput'],
  [/permission|rule/i, 'updatedPermissions'],
] as const;

/** In an approval, a misspelled member would run the call without the change of the app. */
function misspelledMember(result: unknown): string | undefined {
  if (!isJsonObject(result) || result['behavior'] !== 'allow') return undefined;
  for (const [name, value] of Object.entries(result)) {
    if (value === undefined || value === null || ANSWER_MEMBERS.some((known) => known === name)) continue;
    const meant = MEANINGS.find(([pattern]) => pattern.test(name))?.[1];
    const nearest = nearestName(name.replaceAll('_', ''), ANSWER_MEMBERS) ?? meant;
    if (nearest !== undefined) return `${name}; did you mean ${nearest}?`;
  }
  return undefined;
}

function updatesOf(result: unknown): PermissionUpdate[] {
  return readPermissionUpdates(isJsonObject(result) ? result['updatedPermissions'] : undefined);
}

function deny(message: string): Extract<Answer, { behavior: 'deny' }> {
  return { behavior: 'deny', message };
}
