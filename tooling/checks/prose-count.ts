import { parseSync, Visitor } from 'oxc-parser';
import { INTERNAL_ID, type Wording } from './prose-rules.ts';

/** A piece of running text and where it begins. */
export interface Passage {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

export interface SourceProse {
  readonly path: string;
  readonly comments: Passage[];
  /** String literals, templates and JSX text of at least three words. */
  readonly strings: Passage[];
  readonly lines: number;
}

/** One match of a wording or of an internal id. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  /** The match with some words around it. */
  readonly excerpt: string;
}

export interface Count {
  readonly name: string;
  /** Matches per 10,000 words. */
  readonly rate: number;
  readonly findings: readonly Finding[];
}

const DIRECTIVE = /^\s*(?:@ts-|oxlint-|biome-|v8 |c8 |\/ <reference|#__PURE__|@__PURE__)/;

/** The comments and the texts of a TypeScript file. Throws when the file does not parse. */
export function readSource(path: string, source: string): SourceProse {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message ?? 'does not parse'}`);
  const lineOf = lineFinder(source);
  const strings: Passage[] = [];
  const add = (start: number, text: string): void => {
    if (countWords(text) >= 3) strings.push({ path, line: lineOf(start), text });
  };
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === 'string') add(node.start, node.value);
    },
    TemplateLiteral: (node) => add(node.start, node.quasis.map(({ value }) => value.cooked ?? '').join('…')),
    JSXText: (node) => add(node.start, node.value),
  }).visit(program);
  return {
    path,
    comments: comments
      .filter(({ value }) => !DIRECTIVE.test(value))
      .map(({ start, value }) => ({
        path,
        line: lineOf(start),
        text: blankExamples(value.replaceAll(/^[ \t]*\*+/gm, '')),
      })),
    strings,
    lines: source.trimEnd().split('\n').length,
  };
}

/** Examples of a doc comment are code. */
function blankExamples(comment: string): string {
  return comment.replaceAll(/^ @example\n[^]*?(?=^ @|(?![^]))/gm, blank);
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

/** The running text of a Markdown page: no code, no addresses, each line a passage. */
export function readMarkdown(path: string, source: string): Passage[] {
  return source
    .replaceAll(/^( *)(```+)[^\n]*\n[\s\S]*?^\1\2 *$/gm, blank)
    .replaceAll(/<!--[\s\S]*?-->/g, blank)
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split('\n')
    .map((text, index) => ({ path, line: index + 1, text: text.replaceAll(/`[^`]*`/g, '`…`') }));
}

export function countWords(text: string): number {
  return text.match(/\p{L}[\p{L}\p{N}'’-]*/gu)?.length ?? 0;
}

/** How often each wording is used, the most frequent first; wordings without a match are left out. */
export function countWordings(passages: readonly Passage[], wordings: readonly Wording[]): Count[] {
  const words = passages.reduce((sum, { text }) => sum + countWords(text), 0);
  return wordings
    .map(({ name, pattern }) => ({ name, findings: passages.flatMap((passage) => findAll(passage, pattern)) }))
    .filter(({ findings }) => findings.length > 0)
    .map(({ name, findings }) => ({ name, findings, rate: (findings.length / words) * 10_000 }))
    .toSorted((a, b) => b.rate - a.rate);
}

export function findIds(passages: readonly Passage[]): Finding[] {
  return passages.flatMap((passage) => findAll(passage, INTERNAL_ID));
}

function findAll({ path, line, text }: Passage, pattern: RegExp): Finding[] {
  return [...text.matchAll(pattern)].map(({ index, 0: match }) => ({
    path,
    line: line + (text.slice(0, index).match(/\n/g)?.length ?? 0),
    excerpt: text
      .slice(Math.max(0, index - 40), index + match.length + 40)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }));
}

/** Turns an offset into the number of its line. */
function lineFinder(source: string): (offset: number) => number {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    const next = starts.findIndex((start) => start > offset);
    return next === -1 ? starts.length : next;
  };
}
