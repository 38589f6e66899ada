import { AgentError, type ControlHandlers } from '@qwen/protocol';
import { CONFIRMATION_OUTCOMES } from '@qwen/protocol/openai';
import * as z from 'zod/mini';
import type { ConfirmQuestion, OnConfirm } from './confirm.js';

const outcomeSchema = z.enum(CONFIRMATION_OUTCOMES);
const answerSchema = z.union([
  z.pipe(
    outcomeSchema,
    z.transform((outcome) => ({ outcome, approvedCommands: undefined })),
  ),
  z.object({ outcome: outcomeSchema, approvedCommands: z.optional(z.array(z.string())) }),
]);

/** An answer in one form. */
export interface Confirmed {
  readonly outcome: (typeof CONFIRMATION_OUTCOMES)[number];
  readonly approvedCommands?: readonly string[] | undefined;
}

/**
 * Asks the app. Nobody to ask, a throw and an answer of another shape are a no; `onProblem` hears what the app got wrong.
 * Never rejects.
 */
export async function confirmWith(
  onConfirm: OnConfirm | undefined,
  question: ConfirmQuestion,
  { signal, onProblem }: { readonly signal: AbortSignal; readonly onProblem: (error: AgentError) => void },
): Promise<Confirmed> {
  if (onConfirm === undefined) return { outcome: 'cancel' };
  try {
    const parsed = answerSchema.safeParse(await onConfirm(question, { signal }));
    if (parsed.success) return parsed.data;
    throw new AgentError('invalid_payload', 'onConfirm answered none of proceed_once, proceed_always and cancel.');
  } catch (thrown) {
    onProblem(AgentError.from(thrown, 'handler_failed'));
    return { outcome: 'cancel' };
  }
}

/** Serves the questions of slash commands over the control channel (J-05, CF-27). */
export function createConfirmHandlers(
  onConfirm: OnConfirm | undefined,
  onProblem: (error: AgentError) => void,
): Pick<ControlHandlers<'agent'>, 'confirm_shell_commands' | 'confirm_action' | 'quit_confirmation'> {
  const ask = (question: ConfirmQuestion, signal: AbortSignal) =>
    confirmWith(onConfirm, question, { signal, onProblem });
  return {
    async confirm_shell_commands({ commands, raw }, { signal }) {
      const { outcome, approvedCommands } = await ask({ kind: 'shell', commands, raw }, signal);
      return { confirmationOutcome: outcome, ...(approvedCommands && { approvedCommands: [...approvedCommands] }) };
    },
    async confirm_action({ prompt, raw }, { signal }) {
      const { outcome } = await ask({ kind: 'action', prompt, raw }, signal);
      return { confirmationOutcome: outcome };
    },
    async quit_confirmation({ prompt }, { signal }) {
      const { outcome } = await ask({ kind: 'quit', prompt }, signal);
      return { confirmationOutcome: outcome };
    },
  };
}
