import type { ConfirmationOutcome } from '@qwen/protocol/openai';
import type { CommandOutcome } from './command-outcome.js';
import type { CommandHost } from './host/command-host.js';

/** Where a command comes from; `file` ones are the user's own (GAP-105). */
export type CommandKind = 'built-in' | 'file' | 'mcp-prompt';

/** One slash command of every surface. */
export interface Command {
  /** Without the slash, e.g. `clear`. Words of a subcommand are separated by one blank, e.g. `chat list`. */
  readonly name: string;
  /** One line for people. */
  readonly description: string;
  /** Other names of its last word, e.g. `load` for `chat resume`. Default none. */
  readonly aliases?: readonly string[];
  readonly kind: CommandKind;
  /** What may stand behind the name, e.g. `TAG` or `[FILE]`. Default: nothing. */
  readonly usage?: string;
  /**
   * Carries the command out. May take as long as a model call; its signal ends it. Rejects with an AgentError, whose
   * message the user reads.
   */
  readonly run: (call: CommandCall, host: CommandHost) => Promise<CommandOutcome>;
  /**
   * What could stand in the place of `partial`, all that was typed behind the name so far, best first. Answers quickly
   * and from what is at hand. May reject; then there is nothing to suggest. Default: nothing.
   */
  readonly complete?: (partial: string, from: CompletionSources) => Promise<readonly Completion[]>;
}

/** What completions are made of. */
export interface CompletionSources {
  readonly host: CommandHost;
  /** All commands of the session. */
  readonly commands: readonly Command[];
}

/** One thing that may be typed. */
export interface Completion {
  /** The whole text behind the command's name. */
  readonly value: string;
  readonly description?: string;
}

/** What one run of a command is given. */
export interface CommandCall {
  /** What stood behind the name, without blanks at its ends; may be empty (F-09). */
  readonly args: string;
  /** As it was typed, for sending it again. */
  readonly raw: string;
  /** Shell commands that a person said yes to, as they were shown. */
  readonly approvedCommands: readonly string[];
  /** Missing: nobody was asked yet. */
  readonly confirmationOutcome?: ConfirmationOutcome;
  readonly signal: AbortSignal;
  /** All commands of the session, for `/help`. */
  readonly commands: readonly Command[];
  /** What is no command although somebody wrote it down. */
  readonly conflicts: readonly CommandConflict[];
}

/** A command that cannot be called, because a stronger one has its name or because nobody could type it. */
export interface CommandConflict {
  readonly command: Command;
  /** For people, e.g. `/review (file) is stronger`. */
  readonly reason: string;
}

/** True once a person has said yes. */
export function isConfirmed({ confirmationOutcome }: CommandCall): boolean {
  return confirmationOutcome === 'proceed_once' || confirmationOutcome === 'proceed_always';
}
