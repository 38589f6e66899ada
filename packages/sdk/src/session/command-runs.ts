import { AgentError } from '@qwen/protocol';
import type { ChatRequest, CommandDescriptor, CommandReference, CommandResult } from '@qwen/protocol/openai';
import type { ConfirmQuestion, OnConfirm } from '../callbacks/confirm.js';
import { type Confirmed, confirmWith } from '../callbacks/confirm.js';
import { toCommandDescriptor } from '../terminal/to-command-descriptor.js';
import { requestHead, type TurnIds } from './chat-requests.js';
import type { RunningTurn } from './running-turn.js';

/** A parsed command. */
export interface CommandInput {
  /** Command and subcommands, such as `['chat', 'list']`; missing for a text with `@` references. */
  readonly path?: readonly string[] | undefined;
  readonly args?: string | undefined;
  /** Files that the text refers to. Default: the CLI resolves the references. */
  readonly references?: readonly CommandReference[] | undefined;
}

export interface CommandOptions {
  readonly sessionId?: string | undefined;
  /** Answers confirmations of this command. Default: `onConfirm` of the session. */
  readonly onConfirm?: OnConfirm | undefined;
  /** `report` returns a prompt for the model without sending it. Default: `run`. */
  readonly mode?: 'run' | 'report' | undefined;
  /** Aborting it withdraws open confirmations. */
  readonly signal?: AbortSignal | undefined;
}

/** Outcome of a command. */
export interface CommandOutcome<Turn> {
  readonly command: CommandDescriptor;
  /** Last answer of the CLI; undefined if the text went straight to the model, as with `@` references. */
  readonly result: CommandResult | undefined;
  /** The turn that follows, for a prompt or a tool call. */
  readonly turn: Turn | undefined;
}

export interface CommandRunParts {
  readonly onConfirm: OnConfirm | undefined;
  readonly mode: 'run' | 'report';
  readonly signal: AbortSignal;
  readonly onProblem: (error: AgentError) => void;
  readonly start: (toRequest: (ids: TurnIds) => ChatRequest) => RunningTurn;
}

/** Throws `invalid_options` if the text is not a command. */
export function toDescriptor(input: string | CommandInput): CommandDescriptor {
  if (typeof input !== 'string') {
    const { path, args = '', references } = input;
    const more = references && { references: [...references] };
    return path === undefined ? { kind: 'at', args, ...more } : { kind: 'slash', path: [...path], args };
  }
  const descriptor = toCommandDescriptor(input);
  if (descriptor !== undefined) return descriptor;
  throw new AgentError('invalid_options', 'command: the text is not a command. Use prompt() instead.');
}

/**
 * Runs a command as the terminal does: after a confirmation it is sent again with the answer, and the prompt or tool
 * call of its result is sent.
 */
export async function runCommand(
  command: CommandDescriptor,
  parts: CommandRunParts,
): Promise<CommandOutcome<RunningTurn>> {
  let descriptor = command;
  for (;;) {
    const turn = parts.start((ids) => toRequest(descriptor, { ids, mode: parts.mode }));
    const result = await turn.command;
    if (result === undefined) return { command, result, turn };
    const question = questionOf(result);
    if (question === undefined) return { command, result, turn: followUp(result, turn, parts) };
    const { onConfirm, signal, onProblem } = parts;
    if (onConfirm === undefined || descriptor.confirmationOutcome != null) {
      return { command, result, turn: undefined };
    }
    descriptor = withAnswer(command, question, await confirmWith(onConfirm, question, { signal, onProblem }));
  }
}

function toRequest(
  command: CommandDescriptor,
  { ids, mode }: { readonly ids: TurnIds; readonly mode: 'run' | 'report' },
): ChatRequest {
  const { path = [], args = '' } = command;
  const text = command.kind === 'at' ? (args ?? '') : `/${[...path, args].join(' ')}`.trim();
  return {
    ...requestHead(ids),
    input: { origin: 'user', parts: [{ type: 'text', text }], command },
    ...(mode === 'report' && { options: { command_mode: mode } }),
  };
}

function questionOf(result: CommandResult): ConfirmQuestion | undefined {
  switch (result.type) {
    case 'confirm_shell_commands':
      return { kind: 'shell', commands: result.commands_to_confirm, raw: result.original_invocation.raw };
    case 'confirm_action':
      return { kind: 'action', prompt: result.prompt, raw: result.original_invocation.raw };
    case 'quit_confirmation':
      return { kind: 'quit', prompt: result.prompt };
    default:
      return undefined;
  }
}

function withAnswer(
  command: CommandDescriptor,
  question: ConfirmQuestion,
  { outcome, approvedCommands }: Confirmed,
): CommandDescriptor {
  const approved = outcome === 'cancel' || question.kind !== 'shell' ? [] : (approvedCommands ?? question.commands);
  return {
    ...command,
    confirmationOutcome: outcome,
    ...(question.kind === 'shell' && { approvedCommands: [...approved] }),
  };
}

function followUp(result: CommandResult, turn: RunningTurn, parts: CommandRunParts): RunningTurn | undefined {
  if (result.type === 'submit_prompt') {
    if (result.handled_by === 'cli') return turn;
    if (parts.mode === 'report') return undefined;
    return parts.start((ids) => ({
      ...requestHead(ids),
      input: { origin: 'user', parts: result.parts },
      continuation: true,
    }));
  }
  if (result.type !== 'tool') return undefined;
  const { name, args } = result.tool_request;
  return parts.start((ids) => ({
    ...requestHead(ids),
    input: { origin: 'user', parts: [] },
    tool_request: { name, args, callId: `call_${crypto.randomUUID()}`, isClientInitiated: true },
  }));
}
