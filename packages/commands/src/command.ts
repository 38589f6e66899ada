import type { ConfirmationOutcome } from '@qwen/protocol/openai';
import type { CommandOutcome } from './command-outcome.js';
import type { CommandHost } from './host/command-host.js';

export type CommandKind = 'built-in' | 'file' | 'mcp-prompt';

export interface Command {
  /** Without the slash. Subcommands are separated by one space: `chat list`. */
  readonly name: string;
  readonly description: string;
  /** Aliases of the last word, e.g. `load` for `chat resume`. */
  readonly aliases?: readonly string[];
  readonly kind: CommandKind;
  /** Other user interfaces do not suggest it. */
  readonly forTerminal?: true;
  /** The arguments, e.g. `TAG` or `[FILE]`. */
  readonly usage?: string;
  /**
   * May take as long as a model call; `signal` aborts it. Rejects with an AgentError whose message is shown to the
   * user.
   */
  readonly run: (call: CommandCall, host: CommandHost) => Promise<CommandOutcome>;
  /** Suggests replacements for `partial`, the text after the name, best first. Must be fast. May reject. */
  readonly complete?: (partial: string, from: CompletionSources) => Promise<readonly Completion[]>;
}

export interface CompletionSources {
  readonly host: CommandHost;
  readonly commands: readonly Command[];
}

export interface Completion {
  /** The whole text after the name. */
  readonly value: string;
  readonly description?: string;
}

export interface CommandCall {
  /** Trimmed text after the name; may be empty. */
  readonly args: string;
  /** As typed, for resending. */
  readonly raw: string;
  readonly approvedCommands: readonly string[];
  readonly confirmationOutcome?: ConfirmationOutcome;
  readonly signal: AbortSignal;
  readonly commands: readonly Command[];
  readonly conflicts: readonly CommandConflict[];
}

/** A shadowed command, or one with an invalid name. */
export interface CommandConflict {
  readonly command: Command;
  readonly reason: string;
}

export function isConfirmed({ confirmationOutcome }: Pick<CommandCall, 'confirmationOutcome'>): boolean {
  return confirmationOutcome === 'proceed_once' || confirmationOutcome === 'proceed_always';
}
