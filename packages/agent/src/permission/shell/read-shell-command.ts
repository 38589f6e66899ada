import { ScriptReader } from './read-script.js';
import { ReadingBudget } from './reading-budget.js';
import { MAX_COMMAND_CHARACTERS, type ShellReading, unreadable } from './shell-reading.js';

const MAX_EXPANSIONS = 2000;

/** Every control character but tab and line feed, and what looks like a blank or like nothing: no two programs agree. */
const MISLEADING = /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?! )\p{Zs}/u;

/**
 * Reads a command with the grammar of bash, before it runs. Pure; never throws. What is not read, for its length or
 * its characters, is `unclear`.
 */
export function readShellCommand(
  command: string,
  location: ShellLocation,
  budget: ReadingBudget = new ReadingBudget(),
): ShellReading {
  if (command.length > MAX_COMMAND_CHARACTERS) return unreadable('The command is too long to be read.');
  if (MISLEADING.test(command)) return unreadable('The command holds characters that mislead.');
  if (hasTooManyExpansions(command)) return unreadable('The command holds too many expansions to be read.');
  try {
    const reader = new ScriptReader({ depth: 0, workspace: location.workspace, budget });
    reader.readText(command, [location.folder]);
    return reader.reading;
  } catch (thrown) {
    // A grammar that gives up on a hostile text is one more reason to ask (S19).
    return unreadable(`The command cannot be read: ${thrown instanceof Error ? thrown.message : 'unknown error'}.`);
  }
}

/** The grammar takes quadratic time for expansions inside of each other, so they are counted before (S18). */
function hasTooManyExpansions(command: string): boolean {
  return (command.match(/\$[({[]|[<>]\(|`/g)?.length ?? 0) > MAX_EXPANSIONS;
}

/** Where a command would run; both absolute real paths. */
export interface ShellLocation {
  readonly folder: string;
  /** The folder that the user opened. */
  readonly workspace: string;
}
