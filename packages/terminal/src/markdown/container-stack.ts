import type { Segment, StyledLine } from '../lines/styled-line.js';
import type { Margin } from './block.js';

/** Deeper containers are text; each level adds cost to every line. */
const MAX_DEPTH = 12;

interface Container {
  readonly kind: 'quote' | 'item';
  readonly indent: number;
  readonly markIndent: number;
  readonly number?: number;
  readonly mark: Segment;
  isMarkShown: boolean;
}

const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|(\d{1,9})[.)])( +|$)/;
const ANY_ITEM = /^ *(?:[-*+]|\d{1,9}[.)])(?: |$)/;
const TASK = /^\[([ xX])\] +/;
const BULLETS = ['•', '◦', '▪'] as const;
/** More spaces after a marker are indented code. */
const MOST_SPACES = 4;

/** Open quotes and list items, outermost first. */
export class ContainerStack {
  readonly #containers: Container[] = [];

  get depth(): number {
    return this.#containers.length;
  }

  /** An item interrupts a paragraph only if it has text and starts at 1. */
  canOpen(text: string, isInParagraph: boolean): boolean {
    return this.depth < MAX_DEPTH && startsContainer(text, isInParagraph);
  }

  /** A marker there starts the next item, whatever its number. */
  isItemAt(depth: number): boolean {
    return this.#containers[depth]?.kind === 'item';
  }

  /** Strips container prefixes; `matched` is the number of containers the line belongs to. */
  match(line: string): { readonly rest: string; readonly matched: number } {
    let rest = line;
    let matched = 0;
    for (const container of this.#containers) {
      const taken = take(container, rest);
      if (taken === undefined) break;
      rest = taken;
      matched += 1;
    }
    return { rest, matched };
  }

  /** Returns the next item number, to continue counting. */
  closeTo(depth: number): number | undefined {
    const closed = this.#containers.splice(depth);
    return closed[0]?.number;
  }

  /** Undefined when the text opens no container. */
  open(text: string, last?: number): string | undefined {
    const quote = QUOTE.exec(text)?.[0];
    if (quote !== undefined) {
      const mark: Segment = { text: '│ ', token: 'Gray' };
      this.#containers.push({ kind: 'quote', indent: 0, markIndent: 0, mark, isMarkShown: false });
      return text.slice(quote.length);
    }
    const item = ITEM.exec(text);
    return item === null ? undefined : this.#openItem(text, { item, last });
  }

  /** The margin of the next block. Item markers are shown once. */
  takeMargin(): Margin {
    const first = this.#containers.map((one) => (one.isMarkShown ? leadOf(one) : one.mark));
    for (const container of this.#containers) container.isMarkShown = true;
    return { first, rest: this.#containers.map(leadOf) };
  }

  /** The margin without item markers. */
  get lead(): StyledLine {
    return this.#containers.map(leadOf);
  }

  /** Whether a deeper container is an item without content. */
  hasUnshownItem(depth: number): boolean {
    return this.#containers.slice(depth).some(({ kind, isMarkShown }) => kind === 'item' && !isMarkShown);
  }

  #openItem(text: string, { item, last }: { item: RegExpExecArray; last: number | undefined }): string {
    const [all, before = '', marker = '', digits, spaces = ''] = item;
    const extra = spaces.length > MOST_SPACES ? spaces.length - 1 : 0;
    const rest = text.slice(all.length - extra);
    const task = digits === undefined ? TASK.exec(rest) : null;
    const written = digits === undefined ? undefined : Number(digits);
    // Lists with `1.` on every item are counted.
    const number = written !== undefined && last !== undefined && written <= last ? last + 1 : written;
    this.#containers.push({
      kind: 'item',
      indent: before.length + marker.length + (spaces === '' ? 1 : spaces.length - extra),
      markIndent: before.length,
      ...(number !== undefined && { number }),
      mark: task === null ? this.#markOf(number) : taskMark(task[1] !== ' '),
      isMarkShown: false,
    });
    return task === null ? rest : rest.slice(task[0].length);
  }

  #markOf(number: number | undefined): Segment {
    if (number !== undefined) return { text: `${number}. `, token: 'AccentCyan' };
    const level = this.#containers.filter(({ kind }) => kind === 'item').length;
    return { text: `${BULLETS[level % BULLETS.length] ?? ''} `, token: 'AccentCyan' };
  }
}

function startsContainer(text: string, isInParagraph: boolean): boolean {
  if (QUOTE.test(text)) return true;
  const item = ITEM.exec(text);
  if (item === null) return false;
  return !isInParagraph || ((item[3] === undefined || item[3] === '1') && text.length > item[0].length);
}

function take({ kind, indent, markIndent }: Container, text: string): string | undefined {
  if (kind === 'quote') {
    const quote = QUOTE.exec(text)?.[0];
    return quote === undefined ? undefined : text.slice(quote.length);
  }
  const spaces = text.search(/[^ ]/);
  if (spaces === -1) return '';
  if (spaces >= indent) return text.slice(indent);
  // Nested lists are often indented too little.
  return spaces >= markIndent + 2 && ANY_ITEM.test(text) ? text.slice(spaces) : undefined;
}

function taskMark(isDone: boolean): Segment {
  return isDone ? { text: '[x] ', token: 'AccentGreen' } : { text: '[ ] ', token: 'AccentYellow' };
}

/** Quotes keep their marker on further lines. */
function leadOf({ kind, mark }: Container): Segment {
  return kind === 'quote' ? mark : { text: ' '.repeat(mark.text.length) };
}
