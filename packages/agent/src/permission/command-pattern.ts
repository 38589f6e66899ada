import { baseName, isSimpleCommand, type ShellPiece, type ShellReading, trimSpaces } from './shell-reading.js';
import { matchesWildcard } from './wildcard.js';

/** How a rule that forbids fits a command: surely, not at all, or in a way that only a person can judge. */
export type CommandMatch = 'match' | 'doubt' | 'none';

/** The command part of a rule: `git status:*`, `git *`, `npm test`. */
export interface CommandPattern {
  /** For allow rules: a simple command whose text fits, word for word (S15). */
  covers(command: string): boolean;
  /** For deny and ask rules: tried on every piece of the command (S17). */
  touches(reading: ShellReading): CommandMatch;
}

/** Reads the command part of a rule. */
export function createCommandPattern(specifier: string): CommandPattern {
  const texts = wholeTexts(specifier);
  const folded = texts.map((text) => text.toLowerCase());
  const literals = (folded[0] ?? '').split(' ').filter((word) => !word.includes('*'));
  return {
    covers: (command) => isSimpleCommand(command) && texts.some((text) => matchesWildcard(text, trimSpaces(command))),
    touches: (reading) => {
      const found = reading.pieces.map((piece) => touchesPiece(piece, folded, literals));
      if (found.includes('match')) return 'match';
      return reading.isUnclear || found.includes('doubt') ? 'doubt' : 'none';
    },
  };
}

/** The texts that fit: a prefix stands for itself alone and for itself with arguments, never for a longer word. */
function wholeTexts(specifier: string): string[] {
  const prefix = /^([\s\S]*\S)(?::\*| \*)$/.exec(specifier)?.[1];
  return prefix === undefined ? [specifier] : [prefix, `${prefix} *`];
}

function touchesPiece(piece: ShellPiece, texts: readonly string[], literals: readonly string[]): CommandMatch {
  const words = piece.words.map((word) => word.toLowerCase());
  let match: CommandMatch = 'none';
  for (let index = 0; index < words.length; index += 1) {
    if (!startsHere(words, index, texts)) continue;
    if (piece.carries || index === piece.first) return 'match';
    match = 'doubt';
  }
  if (match === 'none' && holdsInOrder(words, literals)) return 'doubt';
  return match;
}

function startsHere(words: readonly string[], index: number, texts: readonly string[]): boolean {
  const word = words[index] ?? '';
  const rest = words.slice(index).join(' ');
  const named = baseName(word) + rest.slice(word.length);
  return texts.some((text) => matchesWildcard(text, rest) || matchesWildcard(text, named));
}

/** Whether the words of a rule stand in the piece with others between them, as in `git -C x push`. */
function holdsInOrder(words: readonly string[], literals: readonly string[]): boolean {
  if (literals.length < 2) return false;
  let next = 0;
  for (const word of words) {
    if (word === literals[next] || (next === 0 && baseName(word) === literals[0])) next += 1;
  }
  return next === literals.length;
}
