import type { CommandInvocation, CommandRun } from '@qwen/commands';
import type { SessionCommands } from '@qwen/host/commands/session-commands.js';
import type { ConfirmationServiceApi } from '@qwen/host/service-apis.js';
import type { LiveSession } from '@qwen/host/sessions/live-session.js';
import type { ContentBlock } from '@qwen/protocol';
import type { CommandDescriptor, CommandReference, CommandResult } from '@qwen/protocol/openai';
import { commandLine } from '../dialects/openai/result-lines.js';
import type { EventWriter } from '../modes/event-writers/event-writer.js';
import type { Intake } from './intake.js';
import type { PlannedCommand } from './plan-input.js';

export interface CommandRunnerOptions {
  readonly eventWriter: EventWriter;
  /** Loaded with the first command. */
  readonly commandsOf: (session: LiveSession) => Promise<SessionCommands>;
  /** Undefined until the host has used the control channel. */
  readonly confirmations: () => ConfirmationServiceApi | undefined;
  readonly quit: () => void;
}

/** What a command sends to the model. */
export interface NextPrompt {
  readonly content: string | ContentBlock[];
  readonly isPlain: boolean;
}

/** Runs slash commands and reports their results. */
export class CommandRunner {
  readonly #options: CommandRunnerOptions;

  constructor(options: CommandRunnerOptions) {
    this.#options = options;
  }

  /** Returns the next prompt for the model, if any. */
  async run(intake: Intake, planned: PlannedCommand): Promise<NextPrompt | undefined> {
    const commands = await this.#options.commandsOf(intake.session);
    const invocation = toInvocation(commands, planned);
    if (invocation === undefined) return { content: planned.line ?? '', isPlain: true };
    const command = { ...invocation, signal: intake.signal };
    const run = await this.#confirmed(intake, command, await commands.run(command));
    return this.#tell(intake, run, {
      kind: 'slash',
      path: [...(planned.path ?? run.path)],
      args: planned.path ? planned.args : run.args,
    });
  }

  /** Resolves file references of a prompt and reports those it could not read. */
  async withFiles(
    { session, signal }: Intake,
    content: string | readonly ContentBlock[],
    references: readonly CommandReference[],
  ): Promise<readonly ContentBlock[]> {
    const commands = await this.#options.commandsOf(session);
    const expanded = await commands.expand(content, { references, signal });
    for (const { message } of expanded.warnings) session.announce({ code: 'reference_warning', message });
    return expanded.content;
  }

  confirmNote(session: LiveSession, promptId: string): void {
    this.#say({ session, promptId }, { type: 'handled' });
  }

  /** Asks the host to confirm; the command then runs again with the answer. */
  async #confirmed(intake: Intake, invocation: CommandInvocation, run: CommandRun): Promise<CommandRun> {
    const asks = this.#options.confirmations();
    const { outcome } = run;
    const how = { signal: intake.signal, place: { sessionId: intake.session.sessionId, promptId: intake.promptId } };
    const isQuestion = outcome.type === 'confirm_shell_commands' || outcome.type === 'confirm_action';
    if (asks === undefined || !isQuestion) return run;
    const raw = outcome.rawInvocation;
    const answer =
      outcome.type === 'confirm_action'
        ? await asks.confirm({ type: 'confirm_action', prompt: outcome.prompt, raw }, how)
        : await asks.confirm({ type: 'confirm_shell_commands', commands: outcome.commands, raw }, how);
    const commands = await this.#options.commandsOf(intake.session);
    return commands.run({ ...invocation, ...answer });
  }

  async #tell(intake: Intake, run: CommandRun, command: CommandDescriptor): Promise<NextPrompt | undefined> {
    const { session, promptId, request } = intake;
    const { toWireResult } = await import('@qwen/commands');
    const { outcome } = run;
    const say = (result: CommandResult) => this.#say({ session, promptId }, result, command);
    if (outcome.type === 'submit_prompt') {
      const isReported = request.options?.command_mode === 'report';
      say({ ...toWireResult(outcome), ...(!isReported && { handled_by: 'cli' }) });
      const { content } = outcome;
      return isReported ? undefined : { content: typeof content === 'string' ? content : [...content], isPlain: false };
    }
    const result = outcome.type === 'quit_confirmation' ? await this.#confirmQuit(intake, outcome.prompt) : undefined;
    const told = result ?? withReason(toWireResult(outcome));
    say(told);
    if (told.type === 'quit') this.#options.quit();
    return undefined;
  }

  async #confirmQuit({ session, promptId, signal }: Intake, prompt: string): Promise<CommandResult | undefined> {
    const place = { sessionId: session.sessionId, promptId };
    const answer = await this.#options
      .confirmations()
      ?.confirm({ type: 'quit_confirmation', prompt }, { signal, place });
    if (answer === undefined) return undefined;
    return answer.confirmationOutcome === 'cancel' ? { type: 'handled' } : { type: 'quit', messages: [] };
  }

  #say(
    { session, promptId }: Pick<Intake, 'session' | 'promptId'>,
    result: CommandResult,
    command?: CommandDescriptor,
  ): void {
    const { eventWriter } = this.#options;
    eventWriter.say(commandLine({ ...eventWriter.originOf(session), promptId }, result, command));
  }
}

function withReason(result: CommandResult): CommandResult {
  const isQuestion = result.type === 'confirm_shell_commands' || result.type === 'confirm_action';
  return isQuestion ? { ...result, message: UNASKED } : result;
}

const UNASKED =
  'No control channel is open, so the command was not confirmed. Send it again with approvedCommands and confirmationOutcome.';

export function toInvocation(commands: SessionCommands, planned: PlannedCommand): CommandInvocation | undefined {
  const { path, args, line, approvedCommands, confirmationOutcome } = planned;
  const answer = { approvedCommands, ...(confirmationOutcome !== undefined && { confirmationOutcome }) };
  if (path !== undefined) return { path, args, ...answer };
  const read = commands.read(line ?? '');
  return read && { ...read, ...answer };
}
