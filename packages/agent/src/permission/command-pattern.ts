import { carrierName } from './shell/carriers.js';
import { mayExpandTo, passesUnknownCommand, withoutQuotes } from './shell/hidden-command.js';
import { opaqueReason } from './shell/opaque-text.js';
import { INTERPRETERS, LAUNCHERS, PLAIN_PROGRAMS } from './shell/programs.js';
import { baseName, commandText, type ShellCommand, type ShellReading, type ShellWord } from './shell/shell-reading.js';

export type CommandMatch = 'match' | 'doubt' | 'none';

export interface CommandPattern {
  /** For allow rules: a simple, static command whose text matches literally. */
  covers(command: ShellCommand): boolean;
  /** For deny and ask rules: any command in the script, at any depth. */
  touches(reading: ShellReading): CommandMatch;
}

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

export function createCommandPattern(specifier: string): CommandPattern {
  const texts = wholeTexts(specifier);
  const leading = leadingWords(specifier);
  const forbidden = new ForbiddenCommand(texts);
  return {
    covers: (command) => {
      if (!isCertain(command)) return false;
      const text = commandText(command);
      // `cat *` is the text of a rule for more than this command.
      if (text === specifier && !specifier.includes('*')) return true;
      if (command.requiredWords + command.assignments.length > leading.length) return false;
      // A variable can change what a command does, so a rule must spell it out.
      if (command.assignments.some((word, index) => leading[index] !== word.text)) return false;
      return texts.some((whole) => matchesWildcard(whole, text));
    },
    touches: (reading) => forbidden.touches(reading),
  };
}

/** A prefix matches itself and itself with arguments, never a longer word. */
function wholeTexts(specifier: string): string[] {
  const prefix = /^([\s\S]*\S)(?::\*| \*)$/.exec(specifier)?.[1];
  return prefix === undefined ? [specifier] : [prefix, `${prefix} *`];
}

function leadingWords(specifier: string): string[] {
  const words = specifier.replace(/:\*$/, ' *').split(/ +/);
  const wild = words.findIndex((word) => word.includes('*'));
  return wild < 0 ? words : words.slice(0, wild);
}

/** Variables, file names and the home folder are ordinary arguments; anything else is dynamic. */
function isCertain({ words, assignments }: ShellCommand): boolean {
  const [program] = words;
  if (program === undefined || program.certainty !== 'fixed' || !program.isBare || ASSIGNMENT.test(program.text)) {
    return false;
  }
  if (!/^[\w./+@:%,[-]+$/.test(program.text)) return false;
  return (
    words.every(({ certainty }) => certainty !== 'open') && assignments.every((word) => word.certainty === 'fixed')
  );
}

const SAME_EFFECT: ReadonlyMap<string, string> = new Map([
  ['unlink', 'rm'],
  ['git send-pack', 'git push'],
  ['git http-push', 'git push'],
]);

const REMOVERS = new Set(['rm', 'rmdir', 'unlink']);

/** Deletes files by an option or a subcommand. */
function removes(name: string, args: readonly string[]): boolean {
  const has = (option: RegExp): boolean => args.some((word) => option.test(word));
  switch (carrierName(name)) {
    case 'find':
      return has(/^-delete$/);
    case 'git':
      return has(/^(?:clean|rm)$/);
    case 'fd':
    case 'rsync':
      return has(/^--(?:del|remove-s)/);
    case 'tar':
      return has(/^--rem/);
    case 'zip':
      return has(/^-[A-Za-z]*m|^--mo/);
    case 'shred':
      return has(/^-[A-Za-z]*u|^--re/);
    default:
      return false;
  }
}

class ForbiddenCommand {
  readonly #texts: readonly string[];
  readonly #literals: readonly string[];
  readonly #mention: RegExp | undefined;

  constructor(texts: readonly string[]) {
    this.#texts = [...new Set(texts.flatMap((text) => [text, withoutQuotes(text)]).map(spaced))];
    const [text = ''] = texts;
    this.#literals = spaced(text.replaceAll(/["']/g, ''))
      .split(' ')
      .filter((word) => !word.includes('*') && !ASSIGNMENT.test(word));
    const name = this.#literals[0];
    this.#mention = name === undefined ? undefined : new RegExp(`(?<![\\w.-])${escape(name)}(?![\\w-])`, 'i');
  }

  touches(reading: ShellReading): CommandMatch {
    const all = [...reading.commands, ...reading.inner];
    const found = new Set<CommandMatch>();
    for (const command of all) found.add(this.#touchesCommand(command));
    if (found.has('match')) return 'match';
    if (reading.unclear !== undefined || opaqueReason(reading) !== undefined || found.has('doubt')) return 'doubt';
    return this.#isHandedOver(reading) ? 'doubt' : 'none';
  }

  #touchesCommand({ words }: ShellCommand): CommandMatch {
    const [program, ...args] = words.map(({ text }) => text.toLowerCase());
    if (program === undefined) return 'none';
    const name = baseName(program);
    // The programs of git behind its subcommands.
    if (name.startsWith('git-')) return this.#touchesWords(['git', name.slice('git-'.length), ...args], words);
    return this.#touchesWords([program, ...args], words);
  }

  #touchesWords([program = '', ...args]: readonly string[], words: readonly ShellWord[]): CommandMatch {
    const name = baseName(program);
    const rest = spaced([name, ...args].join(' ').replaceAll(/\$\{?ifs\}?/g, ' '));
    const whole = spaced([program, ...args].join(' '));
    if (this.#texts.some((text) => matchesWildcard(text, rest) || matchesWildcard(text, whole))) return 'match';
    const isOpen = words.some(({ certainty }) => certainty !== 'fixed');
    if (name === this.#literals[0] && isOpen) return 'doubt';
    if (this.#isSameAs(name, args)) return 'doubt';
    if (INTERPRETERS.has(name) && words.some(({ certainty }) => certainty === 'open')) return 'doubt';
    if (this.#mention === undefined ? isOpen : holdsInOrder([name, ...args], this.#literals)) return 'doubt';
    if (PLAIN_PROGRAMS.has(name)) return 'none';
    const isHidden = passesUnknownCommand(words) || words.some((word) => mayExpandTo(word, this.#literals[0] ?? ''));
    return isHidden || args.some((word) => this.#mentions(word)) ? 'doubt' : 'none';
  }

  #mentions(text: string): boolean {
    return this.#mention !== undefined && (this.#mention.test(text) || this.#mention.test(withoutQuotes(text)));
  }

  /** The same effect by another name, or the program itself as a file to copy or link. */
  #isSameAs(name: string, args: readonly string[]): boolean {
    const [denied = '', ...more] = this.#literals;
    if (SAME_EFFECT.get(name)?.startsWith(this.#literals.join(' ')) === true && denied !== '') return true;
    if (SAME_EFFECT.get(`${name} ${args[0] ?? ''}`) === this.#literals.join(' ')) return true;
    if (/^(?:cp|ln|mv|install|link)$/.test(name) && args.some((word) => baseName(word) === denied)) return true;
    if (more.length === 0 && REMOVERS.has(denied) && removes(name, args)) return true;
    // What follows comes from the input.
    const at = name === 'xargs' ? args.findIndex((word) => baseName(word) === denied) : -1;
    return at >= 0 && more.length > 0 && more.every((word, index) => [undefined, word].includes(args[at + 1 + index]));
  }

  #isHandedOver({ commands, texts }: ShellReading): boolean {
    const runs = ({ words: [program] }: ShellCommand) => {
      const name = baseName(program?.text ?? '');
      return INTERPRETERS.has(name) || LAUNCHERS.has(name);
    };
    if (this.#mention === undefined || !commands.some(runs)) return false;
    const words = commands.flatMap(({ assignments, words: all }) =>
      [...assignments, ...all.slice(1)].map(({ text }) => text),
    );
    return [...words, ...texts].some((text) => this.#mentions(text));
  }
}

function spaced(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ');
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function holdsInOrder(words: readonly string[], literals: readonly string[]): boolean {
  if (literals.length < 2) return false;
  let next = 0;
  for (const word of words) if (word === literals[next]) next += 1;
  return next === literals.length;
}

/** `*` matches any text. Takes at most pattern × text steps. */
function matchesWildcard(pattern: string, text: string): boolean {
  let inPattern = 0;
  let inText = 0;
  let star = -1;
  let afterStar = 0;
  while (inText < text.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern;
      inPattern += 1;
      afterStar = inText;
    } else if (pattern[inPattern] === text[inText]) {
      inPattern += 1;
      inText += 1;
    } else if (star >= 0) {
      inPattern = star + 1;
      afterStar += 1;
      inText = afterStar;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern += 1;
  return inPattern === pattern.length;
}
