import { AgentError, CONTROL_REQUESTS, type ControlHandler } from '@qwen/protocol';
import * as z from 'zod/mini';
import type { OnElicitation } from '../elicitation.js';

/**
 * Serves `elicitation` with the app's callback. Nobody to ask, a throw and an answer of another shape all decline.
 * `onProblem` hears what the app got wrong.
 */
export function createElicitationHandler(
  onElicitation: OnElicitation | undefined,
  onProblem: (error: AgentError) => void,
): ControlHandler<'elicitation'> {
  return async ({ server_name: serverName, message, requested_schema: requestedSchema }, { signal }) => {
    if (onElicitation === undefined) return { action: 'decline' };
    try {
      const answer: unknown = await onElicitation({ serverName, message, requestedSchema }, { signal });
      const parsed = z.safeParse(CONTROL_REQUESTS.elicitation.result, answer);
      if (parsed.success) return parsed.data;
      throw new AgentError('invalid_payload', 'onElicitation answered neither accept, decline nor cancel.');
    } catch (thrown) {
      onProblem(AgentError.from(thrown, 'handler_failed'));
      return { action: 'decline' };
    }
  };
}
