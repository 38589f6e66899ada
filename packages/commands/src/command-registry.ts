import type { Command, CommandConflict } from './command.js';

/** `list()` is called for each query, so it must be synchronous and fast. */
export interface CommandSource {
  list(): readonly Command[];
}

export interface FoundCommand {
  readonly command: Command;
  readonly length: number;
}

/**
 * The slash commands of one session. Names are case-insensitive. Earlier sources take precedence: a later command
 * with the same name or alias is a conflict.
 */
export class CommandRegistry {
  readonly #sources: readonly CommandSource[];
  readonly #disabled: ReadonlySet<string>;

  /** `disabled`: names that are left out, with their subcommands. */
  constructor(sources: readonly CommandSource[], disabled: readonly string[] = []) {
    this.#sources = sources;
    this.#disabled = new Set(disabled.map((name) => name.replace(/^\//, '').toLowerCase()));
  }

  /** All commands, sorted by name. Without `localeCompare`, which takes 8 ms at its first call. */
  list(): readonly Command[] {
    const commands = [...new Set(this.#read().byName.values())];
    return commands.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  get conflicts(): readonly CommandConflict[] {
    return this.#read().conflicts;
  }

  find(name: string): Command | undefined {
    const words = name.trim().split(/\s+/);
    const found = this.match(words);
    return found?.length === words.length ? found.command : undefined;
  }

  /** Finds the longest command at the start of `words`. Aliases match at every level. */
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
      if (keys.some((key) => this.#disabled.has(key) || this.#disabled.has(key.split(' ', 1)[0] ?? ''))) continue;
      const taken = keys.map((key) => byName.get(key)).find((one) => one !== undefined);
      if (!TYPED_NAME.test(command.name))
        conflicts.push({ command, reason: `"${command.name}" is not a valid command name` });
      else if (taken !== undefined)
        conflicts.push({ command, reason: `/${taken.name} (${taken.kind}) takes precedence` });
      else for (const key of keys) byName.set(key, command);
    }
    return { byName, conflicts };
  }
}

export function topLevelNames(commands: readonly Command[]): string[] {
  return commands.flatMap(({ name }) => (name.includes(' ') ? [] : [name]));
}

const TYPED_NAME = /^[^\s/?][^\s/]*(?: [^\s/]+)*$/;

/** An alias replaces the last word of the name. */
function keysOf({ name, aliases = [] }: Command): string[] {
  const words = name.split(' ');
  const parent = words.length > 1 ? words.slice(0, -1).join(' ') : undefined;
  return [name.toLowerCase(), ...aliases.map((alias) => childKey(parent, alias))];
}

function childKey(parent: string | undefined, word: string): string {
  return (parent === undefined ? word : `${parent} ${word}`).toLowerCase();
}
