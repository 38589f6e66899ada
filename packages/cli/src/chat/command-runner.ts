import type { CommandInvocation, CommandRun } from '@qwen/commands';
import type { ConfirmationServiceApi } from '@qwen/host/service-apis.js';
import type { ContentBlock, ControlScope } from '@qwen/protocol';
import type { CommandDescriptor, CommandReference, CommandResult } from '@qwen/protocol/openai';
import { commandLine } from '../dialects/openai/result-lines.js';
import type { EventWriter } from '../modes/event-writers/event-writer.js';
import type { ChatCommands, ChatTurn } from './chat-turns.js';
import type { PlannedCommand } from './plan-input.js';

export interface CommandRunnerOptions {
  readonly eventWriter: EventWriter;
  /** Undefined until the host has used the control channel. */
  readonly confirmations: () => ConfirmationServiceApi | undefined;
  readonly quit: () => void;
}

/** Reports the results of slash commands as lines of their own. */
export class CommandRunner implements ChatCommands {
  readonly #options: CommandRunnerOptions;

  constructor(options: CommandRunnerOptions) {
    this.#options = options;
  }

  async run(
    turn: ChatTurn,
    invocation: CommandInvocation,
    planned: PlannedCommand,
  ): Promise<string | readonly ContentBlock[] | undefined> {
    const { session, signal } = turn;
    const commands = await session.commands();
    const confirmations = this.#options.confirmations();
    const questions = confirmations && { confirmations, signal, place: placeOf(turn) };
    const run = await commands.runConfirmed({ ...invocation, signal }, questions);
    const { path, args } = planned.path === undefined ? run : { path: planned.path, args: planned.args };
    return this.#report(turn, run, { kind: 'slash', path: [...path], args });
  }

  async expand(
    { session, signal }: ChatTurn,
    content: string | readonly ContentBlock[],
    references: readonly CommandReference[],
  ): Promise<readonly ContentBlock[]> {
    const commands = await session.commands();
    return (await commands.expand(content, { references, signal })).content;
  }

  confirmNote(turn: ChatTurn): void {
    this.#writeResult(turn, { type: 'handled' });
  }

  async #report(
    turn: ChatTurn,
    { outcome }: CommandRun,
    command: CommandDescriptor,
  ): Promise<string | readonly ContentBlock[] | undefined> {
    const { toWireResult } = await import('@qwen/commands');
    if (outcome.type === 'submit_prompt') {
      const isReported = turn.request.options?.command_mode === 'report';
      this.#writeResult(turn, { ...toWireResult(outcome), ...(!isReported && { handled_by: 'cli' }) }, command);
      return isReported ? undefined : outcome.content;
    }
    const confirmed = outcome.type === 'quit_confirmation' ? await this.#confirmQuit(turn, outcome.prompt) : undefined;
    const result = confirmed ?? withReason(toWireResult(outcome));
    this.#writeResult(turn, result, command);
    if (result.type === 'quit') this.#options.quit();
    return undefined;
  }

  async #confirmQuit(turn: ChatTurn, prompt: string): Promise<CommandResult | undefined> {
    const how = { signal: turn.signal, place: placeOf(turn) };
    const answer = await this.#options.confirmations()?.confirm({ type: 'quit_confirmation', prompt }, how);
    if (answer === undefined) return undefined;
    return answer.confirmationOutcome === 'cancel' ? { type: 'handled' } : { type: 'quit', messages: [] };
  }

  #writeResult({ session, promptId }: ChatTurn, result: CommandResult, command?: CommandDescriptor): void {
    const { eventWriter } = this.#options;
    eventWriter.writeLine(commandLine({ ...eventWriter.originOf(session), promptId }, result, command));
  }
}

function placeOf({ session, promptId }: ChatTurn): ControlScope {
  return { sessionId: session.sessionId, promptId };
}

function withReason(result: CommandResult): CommandResult {
  const isQuestion = result.type === 'confirm_shell_commands' || result.type === 'confirm_action';
  return isQuestion ? { ...result, message: UNASKED } : result;
}

const UNASKED =
  'No control channel is open, so the command was not confirmed. Send it again with approvedCommands and confirmationOutcome.';
