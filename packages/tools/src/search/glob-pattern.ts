import { AgentError } from '@qwen/protocol';
import { expandBraces } from './expand-braces.js';
import { matchesWildcards } from './wildcard-match.js';

/** Decides about a path, given as its names from the folder that the pattern starts at. */
export type PathMatcher = (names: readonly string[]) => boolean;

/** A piece of one name: `*`, or a test of a single character. */
type NamePiece = '*' | ((character: string) => boolean);

/** One level of a pattern: `**`, or a test of a name. */
type Level = '**' | ((name: string) => boolean);

const MAX_PATTERN_LENGTH = 1024;

/**
 * Compiles a glob with braces: `*`, `?`, `[a-z]`, `[!a]`, `**` over folders, `{a,b}`, `\` before a character to take
 * it as it is. Names that start with a dot are matched like others. Throws `invalid_tool_input` for a pattern that
 * is too long or that climbs up with `..` (S44).
 */
export function compileGlob(pattern: string): PathMatcher {
  if (pattern.length > MAX_PATTERN_LENGTH) throw new AgentError('invalid_tool_input', 'The glob pattern is too long.');
  const matchers = expandBraces(pattern).map(compilePathPattern);
  return (names) => matchers.some((matches) => matches(names));
}

/** Compiles a glob that filters files by name: without a slash it is held against the file name alone. */
export function compileFileFilter(pattern: string): PathMatcher {
  const isNegated = pattern.startsWith('!');
  const body = isNegated ? pattern.slice(1) : pattern;
  const matches = compileGlob(body.includes('/') ? body.replace(/^\.?\//, '') : `**/${body}`);
  return isNegated ? (names) => !matches(names) : matches;
}

/** Compiles a glob without braces. */
function compilePathPattern(pattern: string): PathMatcher {
  const levels = pattern.split('/').filter((level) => level !== '' && level !== '.');
  if (levels.includes('..')) throw new AgentError('invalid_tool_input', 'A glob pattern must not contain "..".');
  const compiled = levels.map((level): Level => (level === '**' ? '**' : compileName(level)));
  return (names) =>
    matchesWildcards(compiled, names, {
      isAny: (level) => level === '**',
      matches: (level, name) => level !== '**' && level(name),
    });
}

/** Splits a glob into the folder that it starts in, without wildcards, and the rest. */
export function splitGlob(pattern: string): { readonly folder: string; readonly rest: string } {
  const levels = pattern.split('/');
  const first = levels.findIndex((level) => /[*?[\]{}\\]/.test(level));
  const at = first === -1 ? levels.length - 1 : first;
  const folder = levels.slice(0, at).join('/');
  return { folder: folder === '' && pattern.startsWith('/') ? '/' : folder, rest: levels.slice(at).join('/') };
}

function compileName(level: string): (name: string) => boolean {
  if (!/[*?[\\]/.test(level)) return (name) => name === level;
  const suffix = /^\*([^*?[\\]+)$/.exec(level)?.[1];
  if (suffix !== undefined) return (name) => name.endsWith(suffix);
  const pieces = namePieces(level);
  return (name) =>
    matchesWildcards(pieces, [...name], {
      isAny: (piece) => piece === '*',
      matches: (piece, character) => piece !== '*' && piece(character),
    });
}

function namePieces(level: string): NamePiece[] {
  const characters = [...level];
  const pieces: NamePiece[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '*') pieces.push('*');
    else if (character === '?') pieces.push(() => true);
    else if (character === '[') {
      const set = readSet(characters, at);
      pieces.push(set?.test ?? ((other) => other === '['));
      at = set?.end ?? at;
    } else {
      const literal = character === '\\' && at + 1 < characters.length ? characters[++at] : character;
      pieces.push((other) => other === literal);
    }
  }
  return pieces;
}

/** Reads `[…]` from its bracket on; undefined when it is never closed, as then the bracket is a plain character. */
function readSet(characters: readonly string[], open: number) {
  const isNegated = characters[open + 1] === '!' || characters[open + 1] === '^';
  const ranges: [string, string][] = [];
  let at = open + (isNegated ? 2 : 1);
  for (let first = true; first || characters[at] !== ']'; first = false) {
    if (characters[at] === '\\') at += 1;
    const from = characters[at];
    if (from === undefined) return undefined;
    const to = characters[at + 2];
    const isRange = characters[at + 1] === '-' && to !== undefined && to !== ']';
    ranges.push([from, isRange ? to : from]);
    at += isRange ? 3 : 1;
  }
  const contains = (character: string) => ranges.some(([from, to]) => character >= from && character <= to);
  return { end: at, test: (character: string) => contains(character) !== isNegated };
}
