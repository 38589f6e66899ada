import type { AgentEvent, PromptMessage, TurnOutcome } from '@qwen/agent';
import type { CommandInvocation, CommandOutcome, CommandRun, ExpandedPrompt } from '@qwen/commands';
import { AgentError } from '@qwen/protocol';
import type { CommandDialog, CommandReference } from '@qwen/protocol/openai';
import type { AgentHost } from '../agent-host.js';
import { endOfEmptyTurn } from '../empty-turn.js';
import type { ConfirmationServiceApi } from '../service-apis.js';
import type { SessionCommands } from './session-commands.js';

export interface TurnCommandsOptions {
  readonly host: AgentHost;
  /** Loads with the first prompt that may need it. */
  readonly load: () => Promise<SessionCommands>;
  /** Asks the app about commands; missing where nobody can be asked. */
  readonly confirmations?: ConfirmationServiceApi;
  /** Puts the turn of a command that needs no model on the stream. */
  readonly publish: (event: AgentEvent) => Promise<void>;
  /** Opens a dialog that a command asks for; `content` says the same. Where it is missing, that is the answer. */
  readonly openDialog?: (dialog: CommandDialog, content: string) => void;
  /** Ends the program once its last words are out. */
  readonly quit: () => void;
  /** Whether the stream says which files a prompt brought along. Default false: people see what they wrote. */
  readonly tellsFiles?: boolean;
}

/**
 * Slash commands and at references where each prompt has one result: a command that ends without the model has a turn of
 * its own, whose answer is what the command says (F-13).
 */
export class TurnCommands {
  readonly #options: TurnCommandsOptions;
  #commands: Promise<SessionCommands> | undefined;

  constructor(options: TurnCommandsOptions) {
    this.#options = options;
  }

  /** Takes a prompt in. Rejects with what `submit` of the host throws. */
  async take(prompt: PromptMessage): Promise<void> {
    const { content } = prompt;
    const command = typeof content === 'string' ? (await this.#load()).read(content) : undefined;
    return command === undefined ? this.submit(prompt) : this.run(prompt, command);
  }

  /** Carries a command out in the turn of this prompt. A `reported` one asks the model nothing: it says what it would ask. */
  async run(prompt: PromptMessage, command: CommandInvocation, form: 'run' | 'reported' = 'run'): Promise<void> {
    const { host } = this.#options;
    const commands = await this.#load();
    // What it shows and changes is the session behind the prompts before it.
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

  /** Says a prompt to the model, with the files that it refers to. Rejects with what `submit` of the host throws. */
  async submit(prompt: PromptMessage, references: readonly CommandReference[] = []): Promise<void> {
    const { host, publish } = this.#options;
    const commands = await this.#load();
    const wishes = { references, signal: new AbortController().signal };
    const { content, warnings, files } = await commands.expand(prompt.content, wishes);
    for (const { message } of warnings) {
      await publish({ type: 'notice', code: 'reference_warning', message, parentToolUseId: null });
    }
    if (files.length === 0) return host.submit(prompt);
    if (this.#options.tellsFiles === true) await publish(fileNotice(files));
    host.submit({ ...prompt, content });
  }

  /** The turn of what is done already and has nothing to say. */
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

/** What the user reads of a command that ended without the model. */
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
      return { type: 'success', text: textOf(outcome.content) };
    case 'load_history':
      return { type: 'success', text: 'The conversation was replaced.' };
    case 'confirm_shell_commands':
      return refused(
        `Nobody can be asked whether these may run: ${outcome.commands.join('; ')}. Allow them by a rule.`,
      );
    case 'confirm_action':
    case 'quit_confirmation':
      return refused(`Nobody can be asked: ${outcome.prompt}`);
    default:
      return { type: 'success', text: '' };
  }
}

function textOf(content: Extract<CommandOutcome, { type: 'submit_prompt' }>['content']): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

function refused(message: string): TurnOutcome {
  return { type: 'error', error: new AgentError('permission_denied', message) };
}
