import type { DoubleQuotedChild, Word, WordPart } from 'unbash';
import type { ShellWord, WordCertainty } from './shell-reading.js';

const ORDER: readonly WordCertainty[] = ['fixed', 'variable', 'glob', 'open'];

export function readWord(word: Pick<Word, 'text' | 'value' | 'parts'>): ShellWord {
  const certainty = (word.parts ?? []).map(certaintyOf).reduce(lessCertain, hasTilde(word.text) ? 'variable' : 'fixed');
  return { text: word.value, certainty, isBare: word.text === word.value };
}

function hasTilde(text: string): boolean {
  return /(?:^|[=:])~/.test(text);
}

function lessCertain(left: WordCertainty, right: WordCertainty): WordCertainty {
  return ORDER.indexOf(left) < ORDER.indexOf(right) ? right : left;
}

function certaintyOf(part: WordPart | DoubleQuotedChild): WordCertainty {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return 'fixed';
    case 'DoubleQuoted':
      return part.parts.map(certaintyOf).reduce(lessCertain, 'fixed');
    case 'SimpleExpansion':
      return /^\$(?:(?!IFS$)[A-Za-z_]\w*|[?$#!])$/.test(part.text) ? 'variable' : 'open';
    case 'ParameterExpansion':
      return /^\$\{(?!IFS\})[A-Za-z_]\w*\}$/.test(part.text) ? 'variable' : 'open';
    case 'Glob':
      return 'glob';
    default:
      return 'open';
  }
}
