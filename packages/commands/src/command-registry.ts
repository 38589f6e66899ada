import { AgentError, type ContentBlock } from '@qwen/protocol';

/** What every surface may show of a slash command. */
export interface Command {
  /** Without the slash, e.g. `clear`. Words of a subcommand are separated by one blank, e.g. `chat list`. */
  readonly name: string;
  /** One line for people. */
  readonly description: string;
  /** Other names, also without the slash. Default none. */
  readonly aliases?: readonly string[];
  /**
   * What the command stands for: the message that the model gets instead, made of what stood behind the name. Missing:
   * the surface carries the command out itself. Rejects with the reason, for people and for the model.
   */
  readonly expand?: (words: string) => Promise<string | readonly ContentBlock[]>;
}

/**
 * The slash commands of one session, for the terminal, structured mode, SDK and HTTP alike. A name or alias belongs
 * to one command only; letters compare without regard to case.
 */
export class CommandRegistry {
  readonly #commands: Command[] = [];
  readonly #byWord = new Map<string, Command>();

  /** Throws AgentError `usage` when a name or alias is taken or starts with a slash; then nothing is added. */
  add(command: Command): void {
    const words = [command.name, ...(command.aliases ?? [])].map(toWord);
    for (const [at, word] of words.entries()) {
      const taken = this.#byWord.has(word) || words.indexOf(word) !== at;
      if (taken) throw new AgentError('usage', `two commands are called "${word}"`);
      if (word === '' || word.startsWith('/')) throw new AgentError('usage', `"${word}" cannot name a command`);
    }
    this.#commands.push(command);
    for (const word of words) this.#byWord.set(word, command);
  }

  /** All commands by name; what `supported_commands` answers (CF-40). */
  list(): readonly Command[] {
    return this.#commands.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  }

  /** The command of this name or alias, without the slash. */
  find(word: string): Command | undefined {
    return this.#byWord.get(toWord(word));
  }
}

const toWord = (name: string) => name.trim().toLowerCase();
