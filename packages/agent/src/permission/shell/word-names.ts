import type { RuleAnchors } from '../path-pattern.js';
import { attachedValues } from './option-words.js';
import { PLAIN_PROGRAMS } from './programs.js';
import { baseName, type ShellCommand, type ShellReading, type ShellWord } from './shell-reading.js';

/** An absolute path that a word may name, judged by the text alone. */
export interface NamedPath {
  readonly name: string;
  /** The name is a part of the word that may mean something else, such as letters after an option. */
  readonly isGuess: boolean;
}

const MAX_NAME = 4096;
const MAX_PARTS = 200;
/** Programs whose words are prose. */
export const MESSAGE_PROGRAMS = new Set('git gh glab hg svn'.split(' '));
const SEPARATORS = /[\s'"()[\]{};|&=:,@<>]+/;
const HOME = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/;

interface NamingCommand extends Pick<ShellCommand, 'words' | 'folders'> {
  /** Whether it only prints, for a program that is not known to only print too. */
  readonly isHandedOver?: boolean;
}

/** Undefined if the word has too many parts to be read. */
export function namesOf(
  word: ShellWord,
  { words: [program], folders, isHandedOver }: NamingCommand,
  { home, root }: Pick<RuleAnchors, 'home' | 'root'>,
): NamedPath[] | undefined {
  const { text } = word;
  const sure = new Set([text, ...text.split(/[=:,@<>]/)].filter((part) => !part.startsWith('-')));
  const base = baseName(program?.text ?? '');
  const isCode =
    word !== program && (isHandedOver === true || !PLAIN_PROGRAMS.has(base)) && !MESSAGE_PROGRAMS.has(base);
  const parts = isCode && /[\s'"()[\]{};|&]/.test(text) ? text.split(SEPARATORS) : [];
  if (parts.length > MAX_PARTS) return undefined;
  const attached = text.startsWith('-')
    ? attachedValues(text).flatMap((value) => [value, ...value.split(/[=:,@]/)])
    : [];
  const absolute = (part: string): string[] => {
    const named = home === undefined ? part : part.replace(HOME, () => home);
    if (named === '' || named.length > MAX_NAME) return [];
    return named.startsWith('/') ? [named] : (folders ?? [root]).map((folder) => `${folder}/${named}`);
  };
  const guesses = [...parts, ...attached].filter((part) => !sure.has(part));
  return [
    ...[...sure].flatMap(absolute).map((name) => ({ name, isGuess: false })),
    ...[...new Set(guesses)].flatMap(absolute).map((name) => ({ name, isGuess: true })),
  ];
}

/** The paths that texts such as here-documents may name; none if they are only printed. Undefined if there are too many. */
export function namesInTexts(
  { commands, texts }: Pick<ShellReading, 'commands' | 'texts'>,
  { root }: Pick<RuleAnchors, 'root'>,
): NamedPath[] | undefined {
  if (commands.every(printsTexts)) return [];
  const parts = texts
    .flatMap((text) => text.split(SEPARATORS))
    .filter((part) => part !== '' && part.length <= MAX_NAME);
  if (parts.length > MAX_PARTS) return undefined;
  const folders = [root, ...(commands[0]?.folders ?? [])];
  return [...new Set(parts)].flatMap((part) =>
    part.startsWith('/')
      ? [{ name: part, isGuess: true }]
      : folders.map((at) => ({ name: `${at}/${part}`, isGuess: true })),
  );
}

/** Whether texts that it reads mean nothing to it. */
export function printsTexts({ words: [program] }: Pick<ShellCommand, 'words'>): boolean {
  const base = baseName(program?.text ?? '');
  return PLAIN_PROGRAMS.has(base) || MESSAGE_PROGRAMS.has(base) || base === 'tee';
}

/** Whether the shell decides when it runs what the word is. `~/x` and `$HOME/x` are known. */
export function isUnknownName({ certainty, text, isBare }: ShellWord): boolean {
  if (certainty === 'fixed') return false;
  if (certainty === 'open' || text.length > MAX_NAME) return true;
  const rest = text.replace(HOME, '');
  if (rest.includes('$') || (rest === text && /(?:^|[=:])~/.test(text))) return true;
  // In a quoted word, a bracket may be text.
  return certainty === 'glob' && !isBare && text.includes('[');
}
