import {
  AgentError,
  CONTROL_REQUESTS,
  type ConfirmationOutcome,
  type ControlHandlers,
  isJsonObject,
} from '@qwen/protocol';
import * as z from 'zod/mini';
import type { ConfirmQuestion, OnConfirm } from '../confirm.js';

/** An answer in one form. */
export interface Confirmed {
  readonly outcome: ConfirmationOutcome;
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
    const confirmed = readAnswer(await onConfirm(question, { signal }));
    if (confirmed !== undefined) return confirmed;
    throw new AgentError('invalid_payload', 'onConfirm answered none of proceed_once, proceed_always and cancel.');
  } catch (thrown) {
    onProblem(AgentError.from(thrown, 'handler_failed'));
    return { outcome: 'cancel' };
  }
}

function readAnswer(answer: unknown): Confirmed | undefined {
  const given: Readonly<Record<string, unknown>> = isJsonObject(answer) ? answer : { outcome: answer };
  const read = z.safeParse(CONTROL_REQUESTS.confirm_shell_commands.result, {
    confirmationOutcome: given['outcome'],
    approvedCommands: given['approvedCommands'],
  });
  if (!read.success) return undefined;
  return { outcome: read.data.confirmationOutcome, approvedCommands: read.data.approvedCommands ?? undefined };
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
