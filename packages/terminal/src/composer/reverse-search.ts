import type { PromptRecord } from '@qwen/protocol';
import { previousBorder } from './grapheme-borders.js';
import type { Keystroke } from './keystroke.js';

/** A search through what was typed before, newest first. Immutable. */
export interface ReverseSearch {
  /** The oldest first. */
  readonly records: readonly PromptRecord[];
  readonly query: string;
  /** Which record is shown; missing: nothing matches, or nothing was asked for yet. */
  readonly index?: number;
}

/** Looks for other words, from the newest prompt on. */
function searchFor({ records }: Pick<ReverseSearch, 'records'>, query: string): ReverseSearch {
  const index = query === '' ? -1 : records.findLastIndex(({ text }) => positionOf(query, text) !== -1);
  return { records, query, ...(index !== -1 && { index }) };
}

/** The next match in a direction that is not the same prompt again; the search as it is when there is none. */
function searchFurther(search: ReverseSearch, direction: 'older' | 'newer'): ReverseSearch {
  const { records, query, index } = search;
  if (index === undefined) return search;
  const shown = records[index]?.text;
  const by = direction === 'older' ? -1 : 1;
  for (let at = index + by; at >= 0 && at < records.length; at += by) {
    const text = records[at]?.text ?? '';
    if (text !== shown && positionOf(query, text) !== -1) return { ...search, index: at };
  }
  return search;
}

/** Where what is looked for begins, in UTF-16 units; capitals count only when somebody typed one. -1: nowhere. */
export function positionOf(query: string, text: string): number {
  return /\p{Lu}/u.test(query) ? text.indexOf(query) : text.toLowerCase().indexOf(query);
}

/** What a key comes to during a search: it goes on, or it is over, with what it found or as if it had never been. */
export type SearchStep =
  | { readonly kind: 'on'; readonly search: ReverseSearch }
  | { readonly kind: 'left' }
  /** A key that is none of the search's own is for the text that was found. */
  | { readonly kind: 'taken'; readonly record: PromptRecord | undefined; readonly isKeySpent: boolean };

export function pressInSearch(search: ReverseSearch, keystroke: Keystroke): SearchStep {
  if (keystroke.kind === 'text') return goOn(searchFor(search, search.query + keystroke.text.replaceAll('\n', ' ')));
  switch (keystroke.name) {
    case 'backspace':
      return goOn(searchFor(search, withoutLast(search.query)));
    case 'ctrl+r':
    case 'up':
      return goOn(searchFurther(search, 'older'));
    case 'ctrl+s':
    case 'down':
      return goOn(searchFurther(search, 'newer'));
    case 'escape':
    case 'ctrl+g':
    case 'ctrl+c':
      return { kind: 'left' };
    default: {
      const record = search.index === undefined ? undefined : search.records[search.index];
      return { kind: 'taken', record, isKeySpent: keystroke.name === 'enter' || keystroke.name === 'tab' };
    }
  }
}

function goOn(search: ReverseSearch): SearchStep {
  return { kind: 'on', search };
}

function withoutLast(query: string): string {
  return query.slice(0, previousBorder(query, query.length));
}
