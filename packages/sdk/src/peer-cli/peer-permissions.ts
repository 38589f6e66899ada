import { isDeepStrictEqual } from 'node:util';
import type { ControlHandler } from '@qwen/protocol';

/** The one tool whose changed input the peer's CLI heeds: the answers of a person travel in it. */
const ASKING_TOOL = 'ask_user_question';

export interface PeerPermissionOptions {
  /** Whether the CLI is the peer's; until it has answered `initialize` it asks nothing. */
  readonly isPeer: () => boolean;
  /** Stops the running turn. Must not throw. */
  readonly interrupt: () => void;
}

/**
 * Keeps the word of the app towards the peer's CLI. It runs a call with the input that the model gave, whatever the
 * app changed, so a changed input becomes a denial: running what the app did not agree to would be worse. And it goes
 * on after a denial with `interrupt`, so that is asked for in its own right.
 */
export function keepPermissionWord(
  handler: ControlHandler<'can_use_tool'>,
  { isPeer, interrupt }: PeerPermissionOptions,
): ControlHandler<'can_use_tool'> {
  return async (question, context) => {
    const answer = await handler(question, context);
    if (!isPeer()) return answer;
    if (answer.behavior === 'deny') {
      if (answer.interrupt === true) interrupt();
      return answer;
    }
    const { updatedInput } = answer;
    const isChanged = updatedInput !== undefined && !isDeepStrictEqual(updatedInput, question.input);
    if (!isChanged || question.tool_name === ASKING_TOOL) return answer;
    return { behavior: 'deny', message: 'The input was changed, and this CLI would run it unchanged. Nothing ran.' };
  };
}
