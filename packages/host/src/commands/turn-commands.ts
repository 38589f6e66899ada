import type { AgentEvent, PromptMessage, TurnOutcome } from '@qwen/agent';
import type { CommandInvocation, CommandOutcome, ExpandedPrompt } from '@qwen/commands';
import { AgentError, contentText } from '@qwen/protocol';
import type { CommandDialog, CommandReference } from '@qwen/protocol/openai';
import type { AgentHost } from '../agent-host.js';
import { endOfEmptyTurn } from '../empty-turn.js';
import type { ConfirmationServiceApi } from '../service-apis.js';
import type { SessionCommands } from './session-commands.js';

export interface TurnCommandsOptions {
  readonly host: AgentHost;
  readonly load: () => Promise<SessionCommands>;
  /** Missing when no one can answer. */
  readonly confirmations?: ConfirmationServiceApi;
  /** Publishes the turn of a command that needs no model. */
  readonly publish: (event: AgentEvent) => Promise<void>;
  /** Opens a dialog requested by a command. Without it, `content` is the answer. */
  readonly openDialog?: (dialog: CommandDialog, content: string) => void;
  /** Ends the program after its last output. */
  readonly quit: () => void;
  /** Whether events report the files added to a prompt. Default false. */
  readonly reportsFiles?: boolean;
  /** Whether an unknown name gets advice. Default false: programs expect the exact text. */
  readonly advises?: boolean;
}

export interface CommandTurn {
  readonly turnId: string;
  readonly signal: AbortSignal;
  /** The prompt of a command is returned to the client instead of sent to the model. Default false. */
  readonly isReported?: boolean;
}

type Content = PromptMessage['content'];

/**
 * Slash commands and `@` references where each prompt has one result: a command that needs no model has its own
 * turn, and its output is the answer.
 */
export class TurnCommands {
  readonly #options: TurnCommandsOptions;

  constructor(options: TurnCommandsOptions) {
    this.#options = options;
  }

  /** Rejects with the errors of the host's `submit`. */
  async take(prompt: PromptMessage, signal: AbortSignal): Promise<void> {
    const { host, load } = this.#options;
    const command = typeof prompt.content === 'string' ? (await load()).read(prompt.content) : undefined;
    const turn = { turnId: prompt.uuid, signal };
    const content = command === undefined ? await this.expand(turn, prompt.content, []) : await this.run(turn, command);
    if (content !== undefined) host.submit({ ...prompt, content });
  }

  /** Runs a command in its own turn. Returns the prompt for the model, if there is one. */
  async run({ turnId, signal, isReported }: CommandTurn, invocation: CommandInvocation): Promise<Content | undefined> {
    const { host, load, confirmations, openDialog, quit } = this.#options;
    const commands = await load();
    // The command acts on the session after all earlier prompts.
    await host.whenIdle();
    const questions = confirmations && { confirmations, signal };
    const { outcome } = await commands.runConfirmed({ ...invocation, signal }, questions);
    if (outcome.type === 'submit_prompt' && isReported !== true) return outcome.content;
    if (outcome.type === 'tool') {
      const { name, args: input } = outcome.toolRequest;
      host.runTool({ uuid: turnId, callId: `call_${crypto.randomUUID()}`, name, input, isClientInitiated: true });
    } else if (outcome.type === 'dialog' && openDialog !== undefined) {
      openDialog(outcome.dialog, outcome.content);
      await this.confirm(turnId);
    } else {
      await this.#answer(turnId, toTurnOutcome(this.#options.advises === true ? advised(outcome) : outcome));
      if (outcome.type === 'quit') quit();
    }
    return undefined;
  }

  async expand({ signal }: CommandTurn, content: Content, references: readonly CommandReference[]): Promise<Content> {
    const { load, publish, reportsFiles } = this.#options;
    const expanded = await (await load()).expand(content, { references, signal });
    if (expanded.files.length === 0) return content;
    if (reportsFiles === true) await publish(fileNotice(expanded.files));
    return expanded.content;
  }

  /** A turn without output, for work that is already done. */
  confirm(turnId: string): Promise<void> {
    return this.#answer(turnId, { type: 'success', text: '' });
  }

  async #answer(turnId: string, outcome: TurnOutcome): Promise<void> {
    const { publish } = this.#options;
    await publish({ type: 'turn_start', turnId });
    await publish(endOfEmptyTurn(turnId, outcome));
  }
}

function fileNotice(files: ExpandedPrompt['files']): AgentEvent {
  const shown = files.map(({ path, bytes }) => ({ path, size: bytes }));
  const message = `Attached: ${files.map(({ path }) => path).join(', ')}`;
  return { type: 'notice', code: 'file_references', message, data: { files: shown }, parentToolUseId: null };
}

function advised(outcome: CommandOutcome): CommandOutcome {
  if (outcome.type !== 'message' || outcome.code !== 'unknown_command') return outcome;
  const { content, suggestion } = outcome;
  const advice = suggestion === undefined ? '/help lists the commands.' : `Did you mean /${suggestion}?`;
  return { ...outcome, content: `${content}. ${advice}` };
}

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
      return refused(`This command needs a confirmation, which no one can give here: ${outcome.prompt}`);
    default:
      return { type: 'success', text: '' };
  }
}

function refused(message: string): TurnOutcome {
  return { type: 'error', error: new AgentError('permission_denied', message) };
}
