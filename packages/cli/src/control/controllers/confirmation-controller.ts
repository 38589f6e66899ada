import {
  type Confirmation,
  type ConfirmationAnswer,
  type ConfirmationServiceApi,
  NOT_CONFIRMED,
} from '@qwen/host/service-apis.js';
import type { ConfirmationOutcome, ControlScope } from '@qwen/protocol';
import type { ControlContext, Controller } from './controller.js';

/** Confirmations of slash commands. Any failure is a denial. */
export class ConfirmationController implements Controller, ConfirmationServiceApi {
  readonly handlers = {};
  readonly #context: ControlContext;

  constructor(context: ControlContext) {
    this.#context = context;
  }

  async confirm(question: Confirmation, how: { readonly signal: AbortSignal; readonly place?: ControlScope }) {
    try {
      return await this.#ask(question, how);
    } catch {
      return NOT_CONFIRMED;
    }
  }

  async #ask(
    question: Confirmation,
    how: { readonly signal: AbortSignal; readonly place?: ControlScope },
  ): Promise<ConfirmationAnswer> {
    const { app } = this.#context;
    switch (question.type) {
      case 'confirm_shell_commands': {
        const { commands, raw } = question;
        const answer = await app.ask('confirm_shell_commands', { commands: [...commands], raw }, how);
        // Ignore approvals of commands that were not asked about.
        const approved = (answer.approvedCommands ?? commands).filter((command) => commands.includes(command));
        return { confirmationOutcome: answer.confirmationOutcome, approvedCommands: approved };
      }
      case 'confirm_action': {
        const { prompt, raw } = question;
        return { ...NOT_CONFIRMED, ...onlyOutcome(await app.ask('confirm_action', { prompt, raw }, how)) };
      }
      case 'quit_confirmation':
        return {
          ...NOT_CONFIRMED,
          ...onlyOutcome(await app.ask('quit_confirmation', { prompt: question.prompt }, how)),
        };
    }
  }
}

function onlyOutcome({ confirmationOutcome }: { readonly confirmationOutcome: ConfirmationOutcome }) {
  return { confirmationOutcome };
}
