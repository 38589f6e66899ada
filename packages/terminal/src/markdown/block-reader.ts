import type { Alignment, Block, PlacedBlock } from './block.js';
import { ContainerStack } from './container-stack.js';
import { alignmentsOf, cellsOf } from './table-rows.js';

/** Longer paragraphs and tables are drawn in parts, which bounds memory. */
const MAX_LINES = 64;
const MAX_LENGTH = 4_096;

const FENCE = /^( {0,3})(`{3,}|~{3,})([^\n]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?: +(.*))?$/;
const UNDERLINE = /^ {0,3}(=+|-+) *$/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
const MARK_LENGTH = 200;

interface Fence {
  readonly mark: string;
  readonly language: string;
  readonly indent: number;
  readonly depth: number;
}

interface Table {
  readonly head?: readonly string[];
  readonly alignments: readonly Alignment[];
  readonly rows: readonly (readonly string[])[];
}

/** State not emitted yet. */
interface Open {
  fence?: Fence;
  table?: Table;
  paragraph: readonly string[];
  /** Emit a blank line before the next block. */
  isBlankDue: boolean;
  hasSaid: boolean;
}

/**
 * Parses Markdown line by line and emits a block as soon as no later line can change it. Follows CommonMark with
 * GitHub tables and task lists; HTML is text. The cost of a line does not depend on earlier lines.
 */
export class BlockReader {
  readonly #stack = new ContainerStack();
  readonly #open: Open = { paragraph: [], isBlankDue: false, hasSaid: false };
  #blocks: PlacedBlock[] = [];

  /** The line that would reopen the current code block. */
  get openFence(): string | undefined {
    const { fence } = this.#open;
    return fence === undefined ? undefined : `${fence.mark}${fence.language}`;
  }

  /** Whether lines of a paragraph or table are pending. */
  get isInsideText(): boolean {
    return this.#open.paragraph.length > 0 || this.#open.table !== undefined;
  }

  take(line: string): readonly PlacedBlock[] {
    this.#read(line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '    ')));
    return this.#given();
  }

  end(): readonly PlacedBlock[] {
    this.#closeLeaves();
    this.#closeContainers(0);
    return this.#given();
  }

  #given(): readonly PlacedBlock[] {
    const blocks = this.#blocks;
    this.#blocks = [];
    return blocks;
  }

  #read(line: string): void {
    const { rest, matched } = this.#stack.match(line);
    const { fence, paragraph } = this.#open;
    if (fence !== undefined && matched >= fence.depth) {
      this.#readCode(rest, fence);
      return;
    }
    if (fence !== undefined) this.#closeFence();
    if (rest.trim() === '') {
      this.#closeLeaves();
      this.#closeContainers(matched);
      this.#open.isBlankDue = true;
      return;
    }
    const isInside = matched === this.#stack.depth;
    if (!isInside && paragraph.length > 0 && !this.#startsBlock(rest, this.#stack.isItemAt(matched))) {
      this.#addToParagraph(rest);
      return;
    }
    let last: number | undefined;
    if (!isInside) {
      this.#closeLeaves();
      last = this.#closeContainers(matched);
    }
    this.#readLeaf(this.#openContainers(rest, last));
  }

  #openContainers(text: string, last: number | undefined): string {
    let rest = text;
    let before = last;
    while (this.#stack.canOpen(rest, this.#open.paragraph.length > 0) && !isMark(RULE, rest)) {
      this.#closeLeaves();
      // A marker directly after a marker: the outer item is drawn with the inner one.
      const opened = this.#stack.open(rest, before);
      if (opened === undefined) break;
      rest = opened;
      before = undefined;
    }
    return rest;
  }

  #readLeaf(text: string): void {
    const { paragraph } = this.#open;
    if (this.#open.table !== undefined && text.includes('|') && !this.#startsBlock(text, true)) {
      this.#addRow(text, this.#open.table);
      return;
    }
    if (this.#open.table !== undefined) this.#closeLeaves();
    const fence = FENCE.exec(text);
    if (fence !== null && this.#openFence(fence)) return;
    const heading = HEADING.exec(text);
    if (heading !== null) {
      this.#closeLeaves();
      const words = (heading[2] ?? '')
        .trim()
        .replace(/(?:^| )#+$/, '')
        .trim();
      this.#say({ type: 'heading', level: heading[1]?.length ?? 1, text: words });
      return;
    }
    if (paragraph.length > 0 && isMark(UNDERLINE, text)) {
      this.#open.paragraph = [];
      this.#say({ type: 'heading', level: text.includes('=') ? 1 : 2, text: paragraph.join('\n') });
      return;
    }
    if (isMark(RULE, text)) {
      this.#closeLeaves();
      this.#say({ type: 'rule' });
      return;
    }
    if (paragraph.length === 0 && text.startsWith('    ')) {
      this.#say({ type: 'code', text: text.slice(4) });
      return;
    }
    if (paragraph.length === 1 && this.#openTable(paragraph[0] ?? '', text)) return;
    if (text.trim() !== '') this.#addToParagraph(text);
  }

  #readCode(text: string, { mark, indent }: Fence): void {
    const closing = FENCE.exec(text);
    if (closing?.[2]?.startsWith(mark) === true && closing[3]?.trim() === '') {
      this.#closeFence();
      return;
    }
    const spaces = Math.min(indent, Math.max(text.search(/[^ ]|$/), 0));
    this.#say({ type: 'code', text: text.slice(spaces) });
  }

  /** False for an inline code span. */
  #openFence([, indent = '', mark = '', words = '']: RegExpExecArray): boolean {
    if (mark.startsWith('`') && words.includes('`')) return false;
    this.#closeLeaves();
    const language = words.trim().split(/[\s{,]/, 1)[0] ?? '';
    this.#say({ type: 'code_start', language });
    this.#open.fence = { mark, language, indent: indent.length, depth: this.#stack.depth };
    return true;
  }

  #closeFence(): void {
    delete this.#open.fence;
    this.#say({ type: 'code_end' });
  }

  #openTable(header: string, text: string): boolean {
    if (!header.includes('|')) return false;
    const head = cellsOf(header);
    const alignments = alignmentsOf(text, head.length);
    if (alignments === undefined) return false;
    this.#open.paragraph = [];
    this.#open.table = { head, alignments, rows: [] };
    return true;
  }

  #addRow(text: string, table: Table): void {
    const rows = [...table.rows, cellsOf(text)];
    this.#open.table = { ...table, rows };
    if (rows.length < MAX_LINES) return;
    this.#closeLeaves();
    this.#open.table = { alignments: table.alignments, rows: [] };
  }

  #addToParagraph(text: string): void {
    const paragraph = [...this.#open.paragraph, text.trim().replace(/\\$/, '')];
    this.#open.paragraph = paragraph;
    const length = paragraph.reduce((sum, line) => sum + line.length, 0);
    if (paragraph.length >= MAX_LINES || length >= MAX_LENGTH) this.#closeLeaves();
  }

  /** Whether the line interrupts the current paragraph or table. */
  #startsBlock(text: string, isFree: boolean): boolean {
    return this.#stack.canOpen(text, !isFree) || FENCE.test(text) || HEADING.test(text) || isMark(RULE, text);
  }

  #closeLeaves(): void {
    const { paragraph, table } = this.#open;
    this.#open.paragraph = [];
    delete this.#open.table;
    if (paragraph.length > 0) this.#say({ type: 'paragraph', text: paragraph.join('\n') });
    if (table !== undefined && (table.head !== undefined || table.rows.length > 0))
      this.#say({ type: 'table', ...table });
  }

  #closeContainers(depth: number): number | undefined {
    if (this.#open.fence !== undefined) this.#closeFence();
    if (this.#stack.hasUnshownItem(depth)) this.#say({ type: 'paragraph', text: '' });
    return this.#stack.closeTo(depth);
  }

  #say(block: Block): void {
    if (this.#open.isBlankDue && this.#open.hasSaid) {
      this.#blocks.push({ block: { type: 'blank' }, margin: { first: [], rest: [] } });
    }
    this.#open.isBlankDue = false;
    this.#open.hasSaid = true;
    const { lead } = this.#stack;
    // The marker of an item that starts with code goes before its first line.
    const isEdge = block.type === 'code_start' || block.type === 'code_end';
    this.#blocks.push({ block, margin: isEdge ? { first: lead, rest: lead } : this.#stack.takeMargin() });
  }
}

function isMark(pattern: RegExp, text: string): boolean {
  return text.length <= MARK_LENGTH && pattern.test(text);
}
