import type { HintSuggestion } from '@qwen/commands';
import { toShownInOne } from '../lines/shown-text.js';
import type { Segment, StyledLine } from '../lines/styled-line.js';
import { widthOf } from '../lines/text-width.js';
import { cutLine } from '../lines/wrap-line.js';
import type { Popup } from './completion.js';

export interface RowSpace {
  readonly columns: number;
  readonly rows: number;
  /** For screen readers: numbered, without graphics. */
  readonly isSpoken: boolean;
}

const NAME_SHARE = 0.5;

export function completionRows(popup: Popup, space: RowSpace): StyledLine[] {
  const { suggestions, selected, isLoading, message } = popup;
  if (message !== undefined) return [cut([{ text: `  ${toShownInOne(message)}`, token: 'AccentRed' }], space)];
  if (suggestions.length === 0) return isLoading ? [cut([{ text: '  Looking…', token: 'Gray' }], space)] : [];
  const needsCount = suggestions.length > space.rows && space.rows > 1;
  const height = Math.min(suggestions.length, needsCount ? space.rows - 1 : space.rows);
  const top = Math.min(Math.max(selected - Math.floor(height / 2), 0), suggestions.length - height);
  const shown = suggestions.slice(top, top + height);
  const nameWidth = Math.min(
    Math.max(...shown.map(({ label }) => widthOf(toShownInOne(label)))),
    Math.floor(space.columns * NAME_SHARE),
  );
  const rows = shown.map((suggestion, index) => {
    const position = top + index;
    const isSelected = position === selected;
    return cut(toRow(suggestion, { position, isSelected, nameWidth, isSpoken: space.isSpoken }), space);
  });
  if (needsCount) rows.push(cut([{ text: `  ${selected + 1} of ${suggestions.length}`, token: 'Gray' }], space));
  return rows;
}

interface RowPlan {
  readonly position: number;
  readonly isSelected: boolean;
  readonly nameWidth: number;
  readonly isSpoken: boolean;
}

function toRow({ label, description = '' }: HintSuggestion, plan: RowPlan): Segment[] {
  const name = toShownInOne(label);
  const words = toShownInOne(description);
  if (plan.isSpoken) {
    const state = plan.isSelected ? ' (selected)' : '';
    return [{ text: `${plan.position + 1}. ${name}${state}${words === '' ? '' : `: ${words}`}` }];
  }
  const gap = ' '.repeat(Math.max(plan.nameWidth - widthOf(name), 0) + 2);
  const [mark, style] = plan.isSelected
    ? (['› ', { token: 'AccentCyan', bold: true }] as const)
    : (['  ', { token: 'Foreground' }] as const);
  return [{ text: mark + name, ...style }, ...(words === '' ? [] : [{ text: gap + words, token: 'Gray' } as const])];
}

function cut(line: StyledLine, { columns }: RowSpace): StyledLine {
  return cutLine(line, columns);
}
