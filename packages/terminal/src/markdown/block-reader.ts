import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked';
import type { Block, PlacedBlock } from './block.js';
import { type Container, createItem, createQuote, hasBegun, leadOf, withPrefixes } from './container.js';
import { leafBlocks } from './leaf-blocks.js';

/** Longer paragraphs and tables are drawn in parts, which bounds memory and the cost of a line. */
const MAX_LINES = 64;
const MAX_LENGTH = 4_096;
/** Deeper lists and quotes are text. */
const MAX_DEPTH = 12;

const TOO_DEEP = new RegExp(String.raw`^(?:[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]|>)){${MAX_DEPTH + 1}}`);
const BLANK_LINE = /\n[ \t]*\n/;
const BLANK_END = /\n[ \t]*\n[ \t]*$/;
/** The last line of a quote has only the marker. */
const QUOTED_BLANK = /(?:^|\n) {0,3}>[ \t]*\n?$/;

interface Pending {
  /** Without the prefixes of its containers; only the fence of code. */
  readonly source: string;
  /** `rest`: the first part is drawn. `drawn`: kept only because its containers are open. */
  readonly state: 'open' | 'rest' | 'code' | 'drawn';
  readonly depth: number;
}

interface BlockContext {
  readonly depth: number;
  readonly isResumed: boolean;
  readonly isOpen: boolean;
  readonly trail: string;
}

/**
 * Reads Markdown line by line and emits a block as soon as no later line can change it. `marked` parses each line
 * together with the last block before it, so the cost of a line does not depend on earlier blocks. HTML is text.
 */
export class BlockReader {
  readonly #containers: Container[] = [];
  #pending: Pending | undefined;
  #before: Pending | undefined;
  #isBlankDue = false;
  #hasEmitted = false;
  #blocks: PlacedBlock[] = [];

  /** The pending block as standalone Markdown, or the fence of the open code block. */
  get draft(): string {
    if (this.#pending === undefined || this.#pending.state === 'drawn') return '';
    const { source, state } = this.#pending;
    return withPrefixes(source, state === 'code' ? [] : this.#containers.filter(({ isMarkShown }) => !isMarkShown));
  }

  take(line: string): readonly PlacedBlock[] {
    const text = line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '    '));
    if (this.#pending?.state !== 'code' && TOO_DEEP.test(text)) {
      this.#finish();
      this.#emit({ type: 'paragraph', text }, 0);
    } else {
      this.#read(`${this.#source}${text}\n`, true);
      if (this.#containers.length > MAX_DEPTH) this.#finish();
    }
    return this.#given();
  }

  end(): readonly PlacedBlock[] {
    this.#finish();
    return this.#given();
  }

  #given(): readonly PlacedBlock[] {
    const blocks = this.#blocks;
    this.#blocks = [];
    return blocks;
  }

  get #source(): string {
    return this.#pending === undefined ? '' : withPrefixes(this.#pending.source, this.#containers);
  }

  #finish(): void {
    if (this.#pending !== undefined) this.#read(this.#source, false);
  }

  #read(source: string, isOpen: boolean): void {
    this.#before = this.#pending;
    this.#pending = undefined;
    this.#walk(blockTokens(source), { depth: 0, isResumed: this.#before !== undefined, isOpen, trail: '' });
    if (this.#pending === undefined) this.#containers.length = 0;
  }

  #walk(all: readonly Token[], { depth, isResumed, isOpen, trail }: BlockContext): void {
    const tokens = all.filter(({ type }) => type !== 'checkbox');
    const last = tokens.findLastIndex(({ type }) => type !== 'space');
    const isTrailed = tokens.slice(last + 1).some(({ raw }) => BLANK_LINE.test(raw));
    for (const [index, token] of tokens.entries()) {
      const isLast = index === last;
      if (token.type !== 'space') {
        this.#readToken(token as MarkedToken, {
          depth,
          isResumed: isResumed && index === 0,
          isOpen: isOpen && isLast,
          trail: isLast ? (isTrailed ? '\n\n' : trail) : '',
        });
        if (!isLast && BLANK_END.test(token.raw)) this.#isBlankDue = true;
      } else if ((depth === 0 && (index === 0 || index < last)) || (index < last && BLANK_LINE.test(token.raw))) {
        this.#isBlankDue = true;
      }
    }
    if (last === -1 && isOpen) this.#keep('', { depth, state: 'open' });
  }

  #readToken(token: MarkedToken, place: BlockContext): void {
    const { depth, isResumed, isOpen, trail } = place;
    const before = isResumed && this.#before?.depth === depth ? this.#before : undefined;
    if (before?.state === 'drawn') {
      if (isOpen) this.#keep(`${token.raw.trimEnd()}\n${trail}`, { depth, state: 'drawn' });
    } else if (token.type === 'list') this.#readList(token, place);
    else if (token.type === 'blockquote') this.#readQuote(token, place);
    else if (token.type === 'code' && token.codeBlockStyle !== 'indented') {
      this.#readFence(token, { ...place, isContinued: before?.state === 'code' });
    } else this.#readLeaf(token, { ...place, isContinued: before?.state === 'rest' });
  }

  #readList({ items }: Tokens.List, { depth, isResumed, isOpen, trail }: BlockContext): void {
    for (const [index, item] of items.entries()) {
      const isResumedItem = isResumed && index === 0;
      const isOpenItem = isOpen && index === items.length - 1;
      const isSkipped = isResumedItem && depth < (this.#before?.depth ?? 0) - 1 && hasBegun(this.#containers[depth]);
      this.#enter(isResumedItem, depth, () => createItem(item, this.#containers, depth));
      this.#walk(isSkipped ? item.tokens.slice(1) : item.tokens, {
        depth: depth + 1,
        isResumed: isResumedItem,
        isOpen: isOpenItem,
        trail: isOpenItem ? trail : '',
      });
      if (isOpenItem) continue;
      if (this.#containers[depth]?.isMarkShown === false)
        this.#emit({ type: 'paragraph', text: '' }, this.#containers.length);
      if (BLANK_END.test(item.raw)) this.#isBlankDue = true;
    }
  }

  #readQuote({ raw, tokens }: Tokens.Blockquote, { depth, isResumed, isOpen, trail }: BlockContext): void {
    const isOpenQuote = isOpen && trail === '';
    this.#enter(isResumed, depth, createQuote);
    this.#walk(tokens, {
      depth: depth + 1,
      isResumed,
      isOpen: isOpenQuote,
      trail: isOpenQuote && QUOTED_BLANK.test(raw) ? '\n\n' : '',
    });
    if (!isOpen || isOpenQuote) return;
    this.#isBlankDue = true;
    this.#keep(`${raw.trimEnd()}\n${trail}`, { depth, state: 'drawn' });
  }

  /** The source of an open code block is its fence and at most one line. */
  #readFence(
    token: Tokens.Code,
    { depth, isOpen, trail, isContinued }: BlockContext & { readonly isContinued: boolean },
  ): void {
    const [fence = ''] = token.raw.split('\n', 1);
    const text = token.text.replace(/\n$/, '');
    const isClosed = text.trim() === '' && token.raw.trimEnd() !== fence.trimEnd();
    if (!isContinued) this.#emit({ type: 'code_start', language: token.lang?.split(/[\s{,]/, 1)[0] ?? '' }, depth);
    const isBlankLine = text === '' && isContinued && isOpen && !isClosed;
    const lines = text === '' && !isBlankLine ? [] : text.split('\n');
    for (const line of lines) this.#emit({ type: 'code', text: line }, depth);
    if (isOpen && !isClosed) {
      this.#keep(fence, { depth, state: 'code' });
      return;
    }
    this.#emit({ type: 'code_end' }, depth);
    if (isOpen) this.#keep(`${token.raw.trimEnd()}\n${trail}`, { depth, state: 'drawn' });
  }

  #readLeaf(
    token: MarkedToken,
    { depth, isOpen, trail, isContinued }: BlockContext & { readonly isContinued: boolean },
  ): void {
    const { raw, type } = token;
    const canContinue = type !== 'hr' && !(type === 'heading' && raw.trimStart().startsWith('#'));
    if (isOpen && canContinue && (trail === '' || type === 'code')) {
      const isShort = (raw.length <= MAX_LENGTH || type === 'table') && raw.trimEnd().split('\n').length <= MAX_LINES;
      const source = isShort ? raw : this.#emitBeginning(token, { depth, isContinued });
      const state = isShort && !isContinued ? 'open' : 'rest';
      // More blank lines would make it long.
      this.#keep(trail !== '' || BLANK_END.test(raw) ? `${source.trimEnd()}\n\n` : source, { depth, state });
      return;
    }
    for (const block of leafBlocks(token, raw, isContinued)) this.#emit(block, depth);
    if (trail !== '') this.#isBlankDue = true;
    if (isOpen) this.#keep(`${raw.trimEnd()}\n${trail}`, { depth, state: 'drawn' });
  }

  /** Emits all but the last line, which the next one may continue. Returns the source of that rest. */
  #emitBeginning(
    token: MarkedToken,
    { depth, isContinued }: { readonly depth: number; readonly isContinued: boolean },
  ): string {
    const lines = token.raw.trimEnd().split('\n');
    const end = lines.pop() ?? '';
    const last = token.type === 'code' ? end : end.trimStart();
    for (const block of leafBlocks(token, lines.join('\n'), isContinued)) this.#emit(block, depth);
    return [...(token.type === 'table' ? lines.slice(0, 2) : []), last].join('\n');
  }

  #keep(source: string, { depth, state }: Omit<Pending, 'source'>): void {
    this.#containers.splice(depth);
    if (depth > 0 || state !== 'drawn') this.#pending = { source, depth, state };
  }

  #enter(isResumed: boolean, depth: number, create: () => Container): void {
    if (isResumed && depth < (this.#before?.depth ?? 0)) return;
    this.#containers.splice(depth, Number.POSITIVE_INFINITY, create());
  }

  #emit(block: Block, depth: number): void {
    this.#containers.splice(depth);
    if (this.#isBlankDue && this.#hasEmitted)
      this.#blocks.push({ block: { type: 'blank' }, margin: { first: [], rest: [] } });
    this.#isBlankDue = false;
    this.#hasEmitted = true;
    const rest = this.#containers.map(leadOf);
    // The marker of an item that starts with code is before its first line.
    const isEdge = block.type === 'code_start' || block.type === 'code_end';
    const first = isEdge ? rest : this.#containers.map((one) => (one.isMarkShown ? leadOf(one) : one.mark));
    if (!isEdge) for (const container of this.#containers) container.isMarkShown = true;
    this.#blocks.push({ block, margin: { first, rest } });
  }
}

/** HTML is text, so Markdown inside of it is read too. */
class TextTokenizer extends Tokenizer {
  override html(): undefined {}
}

function blockTokens(source: string): readonly Token[] {
  try {
    return new Lexer({ gfm: true, tokenizer: new TextTokenizer() }).blockTokens(source, []);
  } catch {
    // Too deep for the stack.
    return [{ type: 'text', raw: source, text: source }];
  }
}
