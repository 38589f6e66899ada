import {
  AgentError,
  type ControlHandler,
  type ControlPayload,
  type ControlResult,
  permissionUpdateSchema,
} from '@qwen/protocol';
import * as z from 'zod/mini';
import type { CanUseTool, ToolInput } from '../permissions.js';

const toolInputSchema = z.record(z.string(), z.unknown());

/** Exactly the two answers that the type allows; whatever else an app returns is a denial. */
const permissionResultSchema = z.discriminatedUnion('behavior', [
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
]);

type Question = ControlPayload<'can_use_tool'>;
type Answer = ControlResult<'can_use_tool'>;

/**
 * Serves `can_use_tool` with the app's callback. Nobody to ask, a throw and an answer of another shape are all a
 * denial with the reason (DESIGN §5). `onProblem` hears what the app got wrong.
 */
export function createCanUseToolHandler(
  canUseTool: CanUseTool | undefined,
  onProblem: (error: AgentError) => void,
): ControlHandler<'can_use_tool'> {
  if (canUseTool === undefined) return () => deny('Denied: this app answers no permission questions.');
  return async (question, { signal }) => {
    try {
      return toAnswer(await ask(canUseTool, question, signal));
    } catch (thrown) {
      const error = AgentError.from(thrown, 'handler_failed');
      onProblem(error);
      return deny(error.message);
    }
  };
}

async function ask(canUseTool: CanUseTool, question: Question, signal: AbortSignal): Promise<unknown> {
  return canUseTool(question.tool_name, readInput(question.input), {
    signal,
    suggestions: question.permission_suggestions ?? null,
    toolUseId: question.tool_use_id,
    blockedPath: question.blocked_path ?? null,
    reason: question.reason,
    agent: question.agent,
    parentToolUseId: question.parent_tool_use_id ?? null,
  });
}

/** An app must never judge another input than the one that would run. */
function readInput(input: unknown): ToolInput {
  const parsed = toolInputSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new AgentError('invalid_payload', 'The input of the tool is not an object.');
}

function toAnswer(result: unknown): Answer {
  const parsed = permissionResultSchema.safeParse(result);
  if (!parsed.success) {
    throw new AgentError('invalid_payload', 'The permission callback answered neither allow nor deny.');
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
