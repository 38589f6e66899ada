import type { Tokens } from 'marked';
import type { Segment } from '../lines/styled-line.js';

const MARKER = /^( {0,3})([-*+]|(\d{1,9})[.)])([ \t]*)/;
/** More spaces after a marker are indented code. */
const MOST_SPACES = 4;
const BULLETS = ['•', '◦', '▪'] as const;

export interface Container {
  readonly kind: 'quote' | 'item';
  readonly mark: Segment;
  readonly number?: number | undefined;
  /** Before its first line in the source. */
  readonly prefix: string;
  isMarkShown: boolean;
}

export function createQuote(): Container {
  return { kind: 'quote', mark: { text: '│ ', token: 'Gray' }, prefix: '> ', isMarkShown: false };
}

/** The item at this depth, which may follow another one. */
export function createItem(
  { raw, task, checked }: Tokens.ListItem,
  open: readonly Container[],
  depth: number,
): Container {
  const [all = '', indent = '', marker = '', digits, spaces = ''] = MARKER.exec(raw) ?? [];
  const width = spaces.replaceAll('\t', '   ').length;
  const isEmpty = /^(?:\n|$)/.test(raw.slice(all.length));
  const last = open[depth]?.number;
  const written = digits === undefined ? undefined : Number(digits);
  // Lists with `1.` on every item are counted.
  const number = written !== undefined && last !== undefined && written <= last ? last + 1 : written;
  const level = open.slice(0, depth).filter(({ kind }) => kind === 'item').length;
  const bullet = number === undefined ? `${BULLETS[level % BULLETS.length] ?? ''} ` : `${number}. `;
  const box = checked === true ? '[x] ' : '[ ] ';
  return {
    kind: 'item',
    number,
    prefix: indent + marker + ' '.repeat(isEmpty || width > MOST_SPACES ? 1 : Math.max(width, 1)),
    mark: task
      ? {
          text: number === undefined ? box : `${bullet}${box}`,
          token: checked === true ? 'AccentGreen' : 'AccentYellow',
        }
      : { text: bullet, token: 'AccentCyan' },
    isMarkShown: false,
  };
}

/** Nested items keep their column: an outer one that has begun is resumed with an empty heading, which is skipped. */
export function withPrefixes(source: string, containers: readonly Container[]): string {
  let first = '';
  let rest = '';
  for (const [index, container] of containers.entries()) {
    first += container.prefix;
    rest += container.kind === 'quote' ? container.prefix : ' '.repeat(container.prefix.length);
    if (index < containers.length - 1 && hasBegun(container)) first += `#\n${rest}`;
  }
  return `${first}${source.replace(/\n$/, '').replaceAll('\n', `\n${rest}`)}\n`;
}

export function hasBegun(container: Container | undefined): boolean {
  return container?.kind === 'item' && container.isMarkShown;
}

/** Quotes keep their marker on further lines. */
export function leadOf({ kind, mark }: Container): Segment {
  return kind === 'quote' ? mark : { text: ' '.repeat(mark.text.length) };
}
