import { escapeHidden } from '@qwen/protocol';
import { useInput, useIsScreenReaderEnabled } from 'ink';
import type { ReactNode } from 'react';
import { Lines } from '../../lines/lines-view.js';
import type { StyledLine } from '../../lines/styled-line.js';
import { useLatestState } from '../use-latest-state.js';
import {
  byNumber,
  type Choice,
  type ChoiceList,
  chosen,
  filterChoices,
  moveBy,
  openList,
  visiblePart,
} from './choice-list.js';

interface Place {
  readonly typed: string;
  readonly index?: number;
}

interface ChoiceMenuProps<Value> {
  readonly choices: readonly Choice<Value>[];
  readonly isActive: boolean;
  readonly rows: number;
  readonly columns: number;
  /** Whether typing filters the list; otherwise a digit selects at once. Default false. */
  readonly isFiltered?: boolean;
  /** Default: the first choice. */
  readonly isChosen?: (value: Value) => boolean;
  readonly onChoose: (value: Value) => void;
  readonly onCancel: () => void;
}

export function ChoiceMenu<Value>(props: ChoiceMenuProps<Value>): ReactNode {
  const { choices, isActive, rows, columns, isFiltered = false, isChosen, onChoose, onCancel } = props;
  const isSpoken = useIsScreenReaderEnabled();
  const place = useLatestState<Place>({ typed: '' });
  // Recomputed each time: the choices may have changed.
  const listOf = ({ typed, index }: Place): ChoiceList<Value> => {
    const shown = filterChoices(choices, typed);
    const opened = openList(shown, typed === '' ? isChosen : undefined);
    return index === undefined || index >= shown.length ? opened : { ...opened, index };
  };
  const move = (steps: number): void => {
    const { typed } = place.current;
    place.set({ typed, index: moveBy(listOf(place.current), steps).index });
  };

  useInput((input, key) => {
    // Not Ink's `isActive`, which subscribes only some time after the frame is shown.
    if (!isActive) return undefined;
    if (key.escape) return onCancel();
    if (key.return) {
      const choice = chosen(listOf(place.current));
      return choice === undefined ? undefined : onChoose(choice.value);
    }
    if (key.upArrow || (key.ctrl && input === 'p')) return move(-1);
    if (key.downArrow || (key.ctrl && input === 'n')) return move(1);
    if (key.pageUp) return move(-Math.min(rows, listOf(place.current).index));
    if (key.pageDown) return move(Math.max(1, rows - 1));
    if (!isFiltered) {
      const numbered = [...input].map((character) => byNumber(listOf(place.current), Number(character)));
      const first = numbered.find((choice) => choice !== undefined);
      return first === undefined ? undefined : onChoose(first.value);
    }
    const { typed } = place.current;
    if (key.backspace || key.delete) return place.set({ typed: [...typed].slice(0, -1).join('') });
    if (input !== '' && !key.ctrl && !key.meta && !key.tab) place.set({ typed: typed + input });
  });

  const { typed } = place.current;
  const list = listOf(place.current);
  const { choices: shown } = list;
  const searchRows = isFiltered ? 1 : 0;
  const part = visiblePart(list, rows - searchRows);
  const lines = part.choices.map((choice, offset) => {
    const index = part.start + offset;
    const number = shown.slice(0, index + 1).filter((one) => one.isHeading !== true).length;
    return choiceLine(choice, { number, isChosen: index === list.index, columns, isSpoken, isNumbered: !isFiltered });
  });
  const search: StyledLine = [
    { text: 'Search: ', token: 'Gray' },
    { text: escapeHidden(typed, { maxLength: columns - 12 }) },
    ...(shown.length === 0 ? [{ text: '  nothing fits', token: 'AccentYellow' } as const] : []),
  ];
  return <Lines lines={isFiltered ? [search, ...lines] : lines} />;
}

interface LineLook {
  readonly number: number;
  readonly isChosen: boolean;
  readonly columns: number;
  readonly isSpoken: boolean;
  readonly isNumbered: boolean;
}

function choiceLine({ label, detail, isHeading }: Choice<unknown>, look: LineLook): StyledLine {
  const { number, isChosen, columns, isSpoken, isNumbered } = look;
  if (isHeading === true) return [{ text: escapeHidden(label, { maxLength: columns }), bold: true }];
  const lead = `${isChosen ? '❯' : ' '} ${isNumbered || isSpoken ? `${number}. ` : ''}`;
  const words = escapeHidden(label, { maxLength: Math.max(8, columns - lead.length) });
  const room = columns - lead.length - words.length - 3;
  const more = detail !== undefined && room > 12 ? `  ${cut(escapeHidden(detail, { maxLength: 2_000 }), room)}` : '';
  const spoken = isSpoken && isChosen ? ' (chosen)' : '';
  return [
    { text: lead, ...(isChosen && { token: 'AccentBlue' }) },
    { text: words + spoken, ...(isChosen && { token: 'AccentBlue', bold: true }) },
    ...(more === '' ? [] : [{ text: more, token: 'Gray' } as const]),
  ];
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
