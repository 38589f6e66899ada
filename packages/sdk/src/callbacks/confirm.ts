import {
  AgentError,
  CONTROL_REQUESTS,
  type ConfirmationOutcome,
  type ControlHandlers,
  isJsonObject,
} from '@qwen/protocol';
import * as z from 'zod/mini';

/** A confirmation that a slash command needs. */
export type ConfirmQuestion =
  | {
      readonly kind: 'shell';
      /** The shell commands to run. */
      readonly commands: readonly string[];
      /** The slash command line. */
      readonly raw: string;
    }
  | { readonly kind: 'action'; readonly prompt: string; readonly raw: string }
  | { readonly kind: 'quit'; readonly prompt: string };

/** Approval for this time, for this session, or a refusal. */
export type ConfirmAnswer =
  | ConfirmationOutcome
  | {
      readonly outcome: ConfirmationOutcome;
      /** The shell commands that may run. Default: all of the question. */
      readonly approvedCommands?: readonly string[] | undefined;
    };

/** Answers confirmations of slash commands. A throw and a malformed answer cancel the command. */
export type OnConfirm = (
  question: ConfirmQuestion,
  context: { readonly signal: AbortSignal },
) => ConfirmAnswer | Promise<ConfirmAnswer>;

/** A normalized answer. */
export interface Confirmed {
  readonly outcome: ConfirmationOutcome;
  readonly approvedCommands?: readonly string[] | undefined;
}

/**
 * Calls `onConfirm`. A missing callback, a throw and a malformed answer are `cancel`; the last two also go to
 * `onProblem`. Never rejects.
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
    throw new AgentError('invalid_payload', 'onConfirm must return proceed_once, proceed_always or cancel.');
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
