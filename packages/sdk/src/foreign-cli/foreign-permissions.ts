import type { ControlHandler } from '@qwen/protocol';

const ASKING_TOOL = 'ask_user_question';

export interface ForeignPermissionOptions {
  readonly isForeignCli: () => boolean;
  /** Must not throw. */
  readonly interrupt: () => void;
}

/** qwen-code ignores an updated input, so that becomes a denial, and it continues after a denial with `interrupt`. */
export function adaptPermissions(
  handler: ControlHandler<'can_use_tool'>,
  { isForeignCli, interrupt }: ForeignPermissionOptions,
): ControlHandler<'can_use_tool'> {
  return async (question, context) => {
    const answer = await handler(question, context);
    if (!isForeignCli()) return answer;
    if (answer.behavior === 'deny') {
      if (answer.interrupt === true) interrupt();
      return answer;
    }
    const { updatedInput } = answer;
    const { isDeepStrictEqual } = await import('node:util');
    const isChanged = updatedInput !== undefined && !isDeepStrictEqual(updatedInput, question.input);
    if (!isChanged || question.tool_name === ASKING_TOOL) return answer;
    return { behavior: 'deny', message: 'Not run: the input was changed, and this CLI would ignore the change.' };
  };
}
