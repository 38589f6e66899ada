import type { Alignment, Block, PlacedBlock } from './block.js';
import { ContainerStack } from './container-stack.js';
import { alignmentsOf, cellsOf } from './table-rows.js';

/** A paragraph or table that is longer is drawn in parts, so that what waits is bounded. */
const MAX_LINES = 64;
const MAX_LENGTH = 4_096;

const FENCE = /^( {0,3})(`{3,}|~{3,})([^\n]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?: +(.*))?$/;
const UNDERLINE = /^ {0,3}(=+|-+) *$/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
/** Rules and the like are short. */
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

/** What is not told yet. */
interface Open {
  fence?: Fence;
  table?: Table;
  paragraph: readonly string[];
  /** A blank line was read that is told when more follows. */
  isBlankDue: boolean;
  hasSaid: boolean;
}

/**
 * Parts Markdown into blocks, line by line: a block is given as soon as no further line can change it, one of code with
 * each line. Follows CommonMark and GitHub's tables and tasks where a terminal can show the difference; HTML is text. The
 * work for a line does not depend on what was read before.
 */
export class BlockReader {
  readonly #stack = new ContainerStack();
  readonly #open: Open = { paragraph: [], isBlankDue: false, hasSaid: false };
  #blocks: PlacedBlock[] = [];

  /** The line that would open the code again that is open now. */
  get openFence(): string | undefined {
    const { fence } = this.#open;
    return fence === undefined ? undefined : `${fence.mark}${fence.language}`;
  }

  /** Whether a paragraph or table is open: the last lines are not told yet. */
  get isInsideText(): boolean {
    return this.#open.paragraph.length > 0 || this.#open.table !== undefined;
  }

  /** Reads one line, without its end. */
  take(line: string): readonly PlacedBlock[] {
    this.#read(line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '    ')));
    return this.#given();
  }

  /** The text is over. */
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
      // A mark right behind a mark: the outer item is shown with the inner one.
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

  /** False when it is code within a line. */
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

  /** Whether a line is more than words of the paragraph, or a row of the table, before it. */
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
    // The mark of an item that begins with code stands in front of its first line.
    const isEdge = block.type === 'code_start' || block.type === 'code_end';
    this.#blocks.push({ block, margin: isEdge ? { first: lead, rest: lead } : this.#stack.takeMargin() });
  }
}

function isMark(pattern: RegExp, text: string): boolean {
  return text.length <= MARK_LENGTH && pattern.test(text);
}
