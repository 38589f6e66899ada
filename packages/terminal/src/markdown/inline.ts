import { Lexer, type MarkedToken, type Token } from 'marked';
import { toShown, toShownLines } from '../lines/shown-text.js';
import { type Segment, type StyledLine, type TextStyle, toHref } from '../lines/styled-line.js';

/** Longer text is not parsed: matching emphasis is slow on long input. */
const MAX_LENGTH = 4_096;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['#39', "'"],
  ['nbsp', ' '],
]);
const ENTITY = /&(amp|lt|gt|quot|#39|nbsp);/g;
const LINE_BREAK = /^<br *\/?>$/i;

/** HTML and link addresses are shown as text, so that a link cannot hide where it leads. */
export function inlineLines(text: string, style: TextStyle = {}): StyledLine[] {
  const lines: Segment[][] = [[]];
  const add = (words: string, look: Look): void => {
    const [first = '', ...rest] = toShownLines(words);
    if (first !== '') lines.at(-1)?.push({ ...look, text: first });
    for (const line of rest) lines.push(line === '' ? [] : [{ ...look, text: line }]);
  };
  if (text.length > MAX_LENGTH) add(text, style);
  else walk(Lexer.lexInline(text, { gfm: true }), { style, add });
  return lines;
}

type Look = Omit<Segment, 'text'>;

interface Walk {
  readonly style: Look;
  readonly add: (words: string, look: Look) => void;
}

function walk(tokens: readonly Token[], { style, add }: Walk): void {
  for (const token of tokens) {
    if (!isKnown(token)) {
      add(token.raw, style);
      continue;
    }
    switch (token.type) {
      case 'strong':
        walk(token.tokens, { style: { ...style, bold: true }, add });
        break;
      case 'em':
        walk(token.tokens, { style: { ...style, italic: true }, add });
        break;
      case 'del':
        walk(token.tokens, { style: { ...style, strikethrough: true }, add });
        break;
      case 'codespan':
        add(token.text, { ...style, token: 'AccentCyan' });
        break;
      case 'link':
        walk(token.tokens, { style: { ...style, token: 'AccentBlue', underline: true, ...linkOf(token.href) }, add });
        if (!isSame(token.text, token.href)) add(` (${inOneLine(token.href)})`, { token: 'Gray' });
        break;
      case 'image':
        add(`[image${token.text === '' ? '' : `: ${inOneLine(token.text)}`}]`, { ...style, token: 'AccentBlue' });
        add(` (${inOneLine(token.href)})`, { token: 'Gray' });
        break;
      case 'br':
        add('\n', style);
        break;
      case 'escape':
        add(token.text, style);
        break;
      case 'text':
        add(decode(token.text), style);
        break;
      default:
        add(LINE_BREAK.test(token.raw) ? '\n' : token.raw, style);
    }
  }
}

const KNOWN: ReadonlySet<string> = new Set<MarkedToken['type']>([
  'strong',
  'em',
  'del',
  'codespan',
  'link',
  'image',
  'br',
  'escape',
  'text',
  'html',
]);

function isKnown(token: Token): token is MarkedToken {
  return KNOWN.has(token.type);
}

function linkOf(address: string): Pick<Look, 'href'> {
  const href = toHref(address);
  return href === undefined ? {} : { href };
}

/** An address equal to its text is shown once. */
function isSame(text: string, href: string): boolean {
  return toBare(text) === toBare(href);
}

function toBare(address: string): string {
  return address.replace(/^(?:mailto:|https?:\/\/)/, '').replace(/\/$/, '');
}

function inOneLine(text: string): string {
  return toShown(text.replaceAll(/\s+/g, ' '));
}

function decode(text: string): string {
  return text.replace(ENTITY, (entity, name: string) => ENTITIES.get(name) ?? entity);
}
