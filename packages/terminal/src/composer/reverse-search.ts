import type { PromptRecord } from '@qwen/protocol';
import { previousBorder } from './grapheme-borders.js';
import type { Keystroke } from './keystroke.js';

export interface ReverseSearch {
  /** Oldest first. */
  readonly records: readonly PromptRecord[];
  readonly query: string;
  /** Undefined without a match or a query. */
  readonly index?: number;
}

function searchFor({ records }: Pick<ReverseSearch, 'records'>, query: string): ReverseSearch {
  const index = query === '' ? -1 : records.findLastIndex(({ text }) => positionOf(query, text) !== -1);
  return { records, query, ...(index !== -1 && { index }) };
}

/** Skips repetitions; returns the search unchanged when nothing matches. */
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

/** UTF-16 offset or -1. Case-sensitive only if the query has capitals. */
export function positionOf(query: string, text: string): number {
  return /\p{Lu}/u.test(query) ? text.indexOf(query) : text.toLowerCase().indexOf(query);
}

export type SearchStep =
  | { readonly kind: 'on'; readonly search: ReverseSearch }
  | { readonly kind: 'left' }
  /** Keys the search does not handle apply to the found text. */
  | { readonly kind: 'taken'; readonly record: PromptRecord | undefined; readonly isKeySpent: boolean };

export function pressInSearch(search: ReverseSearch, keystroke: Keystroke): SearchStep {
  if (keystroke.kind === 'text')
    return continueWith(searchFor(search, search.query + keystroke.text.replaceAll('\n', ' ')));
  switch (keystroke.name) {
    case 'backspace':
      return continueWith(searchFor(search, withoutLast(search.query)));
    case 'ctrl+r':
    case 'up':
      return continueWith(searchFurther(search, 'older'));
    case 'ctrl+s':
    case 'down':
      return continueWith(searchFurther(search, 'newer'));
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

function continueWith(search: ReverseSearch): SearchStep {
  return { kind: 'on', search };
}

function withoutLast(query: string): string {
  return query.slice(0, previousBorder(query, query.length));
}
