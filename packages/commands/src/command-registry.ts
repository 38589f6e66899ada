import type { Command, CommandConflict } from './command.js';

/** Where commands come from. Read afresh with each question, so it answers at once and from what is at hand. */
export interface CommandSource {
  list(): readonly Command[];
}

/** A command that words begin with. */
export interface FoundCommand {
  readonly command: Command;
  /** How many of the words are its name. */
  readonly length: number;
}

/**
 * The slash commands of one session, for the terminal, structured mode, SDK and HTTP alike. Letters compare without
 * regard to case. Sources are given with the strongest first: what it holds keeps its names and aliases, and a later
 * command of the same name is a conflict.
 */
export class CommandRegistry {
  readonly #sources: readonly CommandSource[];

  constructor(sources: readonly CommandSource[]) {
    this.#sources = sources;
  }

  /** All commands by name; what `supported_commands` answers (CF-40). */
  list(): readonly Command[] {
    const commands = [...new Set(this.#read().byName.values())];
    return commands.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  }

  /** What could not be taken in, in the order of the sources. */
  get conflicts(): readonly CommandConflict[] {
    return this.#read().conflicts;
  }

  /** The command of this name or alias, without the slash, e.g. `chat list`. */
  find(name: string): Command | undefined {
    const words = name.trim().split(/\s+/);
    const found = this.match(words);
    return found?.length === words.length ? found.command : undefined;
  }

  /** The longest command that the words begin with; aliases count at every level. */
  match(words: readonly string[]): FoundCommand | undefined {
    const { byName } = this.#read();
    let found: FoundCommand | undefined;
    for (const [index, word] of words.entries()) {
      const command = byName.get(childKey(found?.command.name, word));
      if (command === undefined) break;
      found = { command, length: index + 1 };
    }
    return found;
  }

  #read() {
    const byName = new Map<string, Command>();
    const conflicts: CommandConflict[] = [];
    for (const command of this.#sources.flatMap((source) => source.list())) {
      const keys = keysOf(command);
      const taken = keys.map((key) => byName.get(key)).find((one) => one !== undefined);
      if (!TYPED_NAME.test(command.name)) conflicts.push({ command, reason: `"${command.name}" cannot be typed` });
      else if (taken !== undefined) conflicts.push({ command, reason: `/${taken.name} (${taken.kind}) is stronger` });
      else for (const key of keys) byName.set(key, command);
    }
    return { byName, conflicts };
  }
}

const TYPED_NAME = /^[^\s/?][^\s/]*(?: [^\s/]+)*$/;

/** The name and its aliases, which stand for the last word of the name. */
function keysOf({ name, aliases = [] }: Command): string[] {
  const words = name.split(' ');
  const parent = words.length > 1 ? words.slice(0, -1).join(' ') : undefined;
  return [name.toLowerCase(), ...aliases.map((alias) => childKey(parent, alias))];
}

function childKey(parent: string | undefined, word: string): string {
  return (parent === undefined ? word : `${parent} ${word}`).toLowerCase();
}
