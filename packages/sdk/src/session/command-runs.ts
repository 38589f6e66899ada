import { AgentError } from '@qwen/protocol';
import type { ChatRequest, CommandDescriptor, CommandReference, CommandResult } from '@qwen/protocol/openai';
import type { ConfirmQuestion, OnConfirm } from '../confirm.js';
import { type Confirmed, confirmWith } from '../handlers/confirm.js';
import { toCommandDescriptor } from '../terminal/to-command-descriptor.js';
import { requestHead, type TurnPlace } from './chat-requests.js';
import type { RunningTurn } from './running-turn.js';

/** A command without parsing of text (F-06). */
export interface CommandInput {
  /** Command and subcommands, e.g. `['chat', 'list']`; missing for a text with references to files. */
  readonly path?: readonly string[] | undefined;
  readonly args?: string | undefined;
  /** Files that the text means; without them the CLI finds them itself (F-11). */
  readonly references?: readonly CommandReference[] | undefined;
}

export interface CommandOptions {
  readonly sessionId?: string | undefined;
  /** Answers questions of this command. Default: `onConfirm` of the session. */
  readonly onConfirm?: OnConfirm | undefined;
  /** `report`: words for the model are told and not sent (CF-26). Default `run`. */
  readonly mode?: 'run' | 'report' | undefined;
  /** Aborted for questions that are open when the app loses interest. Default: nothing does. */
  readonly signal?: AbortSignal | undefined;
}

/** What came of a command. */
export interface CommandOutcome<Turn> {
  /** As it was sent. */
  readonly command: CommandDescriptor;
  /** What the CLI answered last; undefined where it went to the model at once, as with references to files. */
  readonly result: CommandResult | undefined;
  /** The turn that follows from it, if one does: words for the model, or a tool. */
  readonly turn: Turn | undefined;
}

export interface CommandRunParts {
  readonly onConfirm: OnConfirm | undefined;
  readonly mode: 'run' | 'report';
  readonly signal: AbortSignal;
  readonly onProblem: (error: AgentError) => void;
  /** Sends a request as a turn with ids of its own. */
  readonly start: (toRequest: (place: TurnPlace) => ChatRequest) => RunningTurn;
}

/** The descriptor of what an app gave. Throws `invalid_options` for a text that is no command. */
export function toDescriptor(input: string | CommandInput): CommandDescriptor {
  if (typeof input !== 'string') {
    const { path, args = '', references } = input;
    const more = references && { references: [...references] };
    return path === undefined ? { kind: 'at', args, ...more } : { kind: 'slash', path: [...path], args };
  }
  const descriptor = toCommandDescriptor(input);
  if (descriptor !== undefined) return descriptor;
  throw new AgentError('invalid_options', 'command: the text is no command; prompt() says it to the model');
}

/**
 * Runs a command to its end as a terminal would (F-29): asks back where the CLI wants to be asked back, by a resend
 * (GAP-25), and sends what the answer says is to be sent (F-23, F-24).
 */
export async function runCommand(
  command: CommandDescriptor,
  parts: CommandRunParts,
): Promise<CommandOutcome<RunningTurn>> {
  let descriptor = command;
  for (;;) {
    const turn = parts.start((place) => toRequest(descriptor, { place, mode: parts.mode }));
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
  { place, mode }: { readonly place: TurnPlace; readonly mode: 'run' | 'report' },
): ChatRequest {
  const { path = [], args = '' } = command;
  const text = command.kind === 'at' ? (args ?? '') : `/${[...path, args].join(' ')}`.trim();
  return {
    ...requestHead(place),
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
    return parts.start((place) => ({
      ...requestHead(place),
      input: { origin: 'user', parts: result.parts },
      continuation: true,
    }));
  }
  if (result.type !== 'tool') return undefined;
  const { name, args } = result.tool_request;
  return parts.start((place) => ({
    ...requestHead(place),
    input: { origin: 'user', parts: [] },
    tool_request: { name, args, callId: `call_${crypto.randomUUID()}`, isClientInitiated: true },
  }));
}
