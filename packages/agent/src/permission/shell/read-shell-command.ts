import { ScriptReader } from './read-script.js';
import { ReadingBudget } from './reading-budget.js';
import { MAX_COMMAND_CHARACTERS, type ShellReading, unreadable } from './shell-reading.js';

const MAX_EXPANSIONS = 2000;

/** Control characters except tab and line feed, and invisible or blank-like ones, which programs read differently. */
const MISLEADING = /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?! )\p{Zs}/u;

/** Parses a command with the grammar of bash. Pure; never throws: an unreadable command is `unclear`. */
export function readShellCommand(
  command: string,
  location: ShellLocation,
  budget: ReadingBudget = new ReadingBudget(),
): ShellReading {
  if (command.length > MAX_COMMAND_CHARACTERS) return unreadable('The command is too long to be read.');
  if (MISLEADING.test(command)) return unreadable('The command contains misleading characters.');
  if (hasTooManyExpansions(command)) return unreadable('The command contains too many expansions to be parsed.');
  try {
    const reader = new ScriptReader({ depth: 0, workspace: location.workspace, budget });
    reader.readText(command, [location.folder]);
    return reader.reading;
  } catch (thrown) {
    // A grammar that fails on hostile text is a reason to ask.
    return unreadable(`The command cannot be read: ${thrown instanceof Error ? thrown.message : 'unknown error'}.`);
  }
}

function hasTooManyExpansions(command: string): boolean {
  return (command.match(/\$[({[]|[<>]\(|`/g)?.length ?? 0) > MAX_EXPANSIONS;
}

export interface ShellLocation {
  readonly folder: string;
  readonly workspace: string;
}
