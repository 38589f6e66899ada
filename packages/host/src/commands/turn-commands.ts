import type { AgentEvent, PromptMessage, TurnOutcome } from '@qwen/agent';
import type { CommandInvocation, CommandOutcome, CommandRun, ExpandedPrompt } from '@qwen/commands';
import { AgentError, contentText } from '@qwen/protocol';
import type { CommandDialog, CommandReference } from '@qwen/protocol/openai';
import type { AgentHost } from '../agent-host.js';
import { endOfEmptyTurn } from '../empty-turn.js';
import type { ConfirmationServiceApi } from '../service-apis.js';
import type { SessionCommands } from './session-commands.js';

export interface TurnCommandsOptions {
  readonly host: AgentHost;
  /** Loads with the first prompt that needs it. */
  readonly load: () => Promise<SessionCommands>;
  /** Asks the app about commands; missing when no one can answer. */
  readonly confirmations?: ConfirmationServiceApi;
  /** Publishes the turn of a command that needs no model. */
  readonly publish: (event: AgentEvent) => Promise<void>;
  /** Opens a dialog requested by a command. Without it, `content` is the answer. */
  readonly openDialog?: (dialog: CommandDialog, content: string) => void;
  /** Ends the program after its last output. */
  readonly quit: () => void;
  /** Whether events report the files added to a prompt. Default false. */
  readonly tellsFiles?: boolean;
}

/**
 * Slash commands and `@` references where each prompt has one result: a command that needs no model has its own
 * turn, and its output is the answer.
 */
export class TurnCommands {
  readonly #options: TurnCommandsOptions;
  #commands: Promise<SessionCommands> | undefined;

  constructor(options: TurnCommandsOptions) {
    this.#options = options;
  }

  /** Takes a prompt. Rejects with what the host's `submit` throws. */
  async take(prompt: PromptMessage): Promise<void> {
    const { content } = prompt;
    const command = typeof content === 'string' ? (await this.#load()).read(content) : undefined;
    return command === undefined ? this.submit(prompt) : this.run(prompt, command);
  }

  /** Runs a command in the turn of this prompt. `reported`: returns the prompt instead of sending it to the model. */
  async run(prompt: PromptMessage, command: CommandInvocation, form: 'run' | 'reported' = 'run'): Promise<void> {
    const { host } = this.#options;
    const commands = await this.#load();
    // The command acts on the session after all earlier prompts.
    await host.whenIdle();
    const { outcome } = await this.#confirmed(commands, await commands.run(command), command);
    if (outcome.type === 'submit_prompt' && form === 'run') return host.submit({ ...prompt, content: outcome.content });
    if (outcome.type === 'tool') {
      const { name, args: input } = outcome.toolRequest;
      const callId = `call_${crypto.randomUUID()}`;
      return host.runTool({ uuid: prompt.uuid, callId, name, input, isClientInitiated: true });
    }
    if (outcome.type === 'dialog' && this.#options.openDialog !== undefined) {
      this.#options.openDialog(outcome.dialog, outcome.content);
      return this.confirm(prompt.uuid);
    }
    await this.#answer(prompt.uuid, toTurnOutcome(outcome));
    if (outcome.type === 'quit') this.#options.quit();
  }

  /** Sends a prompt to the model with the files it refers to. Rejects with what the host's `submit` throws. */
  async submit(prompt: PromptMessage, references: readonly CommandReference[] = []): Promise<void> {
    const { host, publish } = this.#options;
    const commands = await this.#load();
    const request = { references, signal: new AbortController().signal };
    const { content, warnings, files } = await commands.expand(prompt.content, request);
    for (const { message } of warnings) {
      await publish({ type: 'notice', code: 'reference_warning', message, parentToolUseId: null });
    }
    if (files.length === 0) return host.submit(prompt);
    if (this.#options.tellsFiles === true) await publish(fileNotice(files));
    host.submit({ ...prompt, content });
  }

  /** A turn without output, for work that is already done. */
  confirm(turnId: string): Promise<void> {
    return this.#answer(turnId, { type: 'success', text: '' });
  }

  #load(): Promise<SessionCommands> {
    this.#commands ??= this.#options.load();
    return this.#commands;
  }

  async #confirmed(
    commands: SessionCommands,
    run: CommandRun,
    invocation: Parameters<SessionCommands['run']>[0],
  ): Promise<CommandRun> {
    const { confirmations } = this.#options;
    const { outcome } = run;
    const isQuestion = outcome.type === 'confirm_shell_commands' || outcome.type === 'confirm_action';
    if (confirmations === undefined || !isQuestion) return run;
    const how = { signal: new AbortController().signal };
    const raw = outcome.rawInvocation;
    const answer =
      outcome.type === 'confirm_action'
        ? await confirmations.confirm({ type: 'confirm_action', prompt: outcome.prompt, raw }, how)
        : await confirmations.confirm({ type: 'confirm_shell_commands', commands: outcome.commands, raw }, how);
    return commands.run({ ...invocation, ...answer });
  }

  async #answer(turnId: string, outcome: TurnOutcome): Promise<void> {
    const { publish } = this.#options;
    await publish({ type: 'turn_start', turnId });
    await publish(endOfEmptyTurn(turnId, outcome));
  }
}

function fileNotice(files: ExpandedPrompt['files']): AgentEvent {
  const shown = files.map(({ path, bytes }) => ({ path, size: bytes }));
  const message = `Read for the prompt: ${files.map(({ path }) => path).join(', ')}`;
  return { type: 'notice', code: 'file_references', message, data: { files: shown }, parentToolUseId: null };
}

/** The output of a command that ended without the model. */
function toTurnOutcome(outcome: CommandOutcome): TurnOutcome {
  switch (outcome.type) {
    case 'message':
      return outcome.level === 'error'
        ? { type: 'error', error: new AgentError(outcome.code ?? 'tool_failed', outcome.content) }
        : { type: 'success', text: outcome.content };
    case 'dialog':
      return { type: 'success', text: outcome.content };
    case 'quit':
      return { type: 'success', text: outcome.messages.join('\n') };
    case 'submit_prompt':
      return { type: 'success', text: contentText(outcome.content, '') };
    case 'load_history':
      return { type: 'success', text: 'The conversation was replaced.' };
    case 'confirm_shell_commands':
      return refused(
        `Cannot ask for approval of these commands here: ${outcome.commands.join('; ')}. Allow them with a permission rule.`,
      );
    case 'confirm_action':
    case 'quit_confirmation':
      return refused(`Cannot ask for confirmation here: ${outcome.prompt}`);
    default:
      return { type: 'success', text: '' };
  }
}

function refused(message: string): TurnOutcome {
  return { type: 'error', error: new AgentError('permission_denied', message) };
}
