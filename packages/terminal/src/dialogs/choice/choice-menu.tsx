import { escapeHidden } from '@qwen/protocol';
import { type Key, useIsScreenReaderEnabled } from 'ink';
import { type ReactNode, useContext, useLayoutEffect, useRef } from 'react';
import { type Keystroke, toKeystrokes } from '../../composer/keystroke.js';
import { Lines } from '../../lines/lines-view.js';
import type { StyledLine } from '../../lines/styled-line.js';
import { useKeys } from '../../use-keys.js';
import { useLatestState } from '../use-latest-state.js';
import { type AnswerGuard, StrayTextContext } from './answer-guard.js';
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

interface MenuPosition {
  readonly typed: string;
  /** -1: nothing is selected. Default: the selection of a list just opened. */
  readonly index?: number;
}

interface ChoiceMenuProps<Value> {
  readonly choices: readonly Choice<Value>[];
  readonly rows: number;
  readonly columns: number;
  /** Whether typing filters the list; otherwise a digit selects. Default false. */
  readonly isFiltered?: boolean;
  /** For questions that appear on their own: only deliberate keys answer, other text goes to `StrayTextContext`. */
  readonly guard?: AnswerGuard;
  /** Whether Enter can answer before an arrow moved. Default true. */
  readonly isPreselected?: boolean;
  /** Default: the first choice. */
  readonly isChosen?: (value: Value) => boolean;
  /** Lines below the list, about the selected choice. Default: none. */
  readonly detailsOf?: (value: Value | undefined) => readonly StyledLine[];
  readonly onMove?: (value: Value) => void;
  readonly onChoose: (value: Value) => void;
  readonly onCancel: () => void;
}

interface OpenMenu<Value> {
  readonly list: ChoiceList<Value>;
  readonly typed: string;
}

/** Reads the keys of a menu; returns what it shows. */
function useMenu<Value>(props: ChoiceMenuProps<Value>): OpenMenu<Value> {
  const {
    choices,
    rows,
    isFiltered = false,
    guard,
    isPreselected = true,
    isChosen,
    onMove,
    onChoose,
    onCancel,
  } = props;
  const keepText = useContext(StrayTextContext);
  const digit = useRef('');
  const place = useLatestState<MenuPosition>({ typed: '' });
  // Recomputed each time: the choices may have changed.
  const listOf = ({ typed, index }: MenuPosition): ChoiceList<Value> => {
    const shown = filterChoices(choices, typed);
    const opened = openList(shown, typed === '' ? isChosen : undefined);
    if (index !== undefined && index < shown.length) return { ...opened, index };
    return isPreselected ? opened : { ...opened, index: -1 };
  };
  const move = (steps: number): void => {
    const { typed } = place.current;
    const moved = moveBy(listOf(place.current), steps);
    place.set({ typed, index: moved.index });
    const choice = chosen(moved);
    if (choice !== undefined) onMove?.(choice.value);
  };

  /** A selection made before the text no longer counts: Enter after typed words must not confirm it. */
  const keep = (text: string): void => {
    guard?.restart();
    place.set({ typed: '', index: -1 });
    keepText(digit.current + text);
    digit.current = '';
  };
  const pressDigit = (pressed: string): void => {
    const choice = byNumber(listOf(place.current), Number(pressed));
    if (choice === undefined) return guard === undefined ? undefined : keep(pressed);
    if (guard === undefined) return onChoose(choice.value);
    digit.current = pressed;
    place.set({ typed: '', index: choices.indexOf(choice) });
    guard.settle(() => {
      digit.current = '';
      onChoose(choice.value);
    });
  };
  useLayoutEffect(() => guard?.restart(), [guard]);

  const search = (stroke: Keystroke): void => {
    const { typed } = place.current;
    if (stroke.kind === 'text') place.set({ typed: typed + stroke.text });
    else if (/^(?:backspace|delete)$/.test(stroke.name)) place.set({ typed: [...typed].slice(0, -1).join('') });
    else if (stroke.name === 'enter') {
      const choice = chosen(listOf(place.current));
      if (choice !== undefined) onChoose(choice.value);
    }
  };

  const press = (input: string, key: Key): void => {
    if (key.eventType === 'release') return undefined;
    const isPlain = !key.ctrl && !key.meta && !key.super && !key.hyper;
    const isText = input !== '' && !key.return && isPlain && !key.tab && !key.escape;
    const isSingle = guard?.isSingle() ?? true;
    if (guard !== undefined && isText) {
      const isDigit = isSingle && digit.current === '' && /^\d$/.test(input);
      return guard.isArmed && isDigit ? pressDigit(input) : keep(input.replace(/[\r\n]+$/, ''));
    }
    if (guard !== undefined && (!guard.isArmed || digit.current !== '')) {
      digit.current = '';
      return guard.restart();
    }
    if (key.escape) return onCancel();
    if (key.return) {
      const choice = chosen(listOf(place.current));
      if (choice === undefined) return undefined;
      return isSingle ? onChoose(choice.value) : keep('');
    }
    if (key.upArrow || (key.ctrl && input === 'p')) return move(-1);
    if (key.downArrow || (key.ctrl && input === 'n')) return move(1);
    if (key.pageUp) return move(-Math.min(rows, listOf(place.current).index));
    if (key.pageDown) return move(Math.max(1, rows - 1));
    if (!isFiltered) return /^\d$/.test(input) && isPlain ? pressDigit(input) : undefined;
    // Over a slow connection, several keys come together.
    for (const stroke of toKeystrokes(input, key)) search(stroke);
  };
  useKeys({
    onKey: press,
    onPaste: (text) => {
      if (guard !== undefined) keep(text);
      else if (isFiltered) place.set({ typed: place.current.typed + text.trim() });
    },
  });

  return { list: listOf(place.current), typed: place.current.typed };
}

export function ChoiceMenu<Value>(props: ChoiceMenuProps<Value>): ReactNode {
  const { rows, columns, isFiltered = false, detailsOf = () => [] } = props;
  const isSpoken = useIsScreenReaderEnabled();
  const { list, typed } = useMenu(props);
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
    ...(shown.length === 0 ? [{ text: '  no matches', token: 'AccentYellow' } as const] : []),
  ];
  const details = detailsOf(chosen(list)?.value);
  return <Lines lines={[...(isFiltered ? [search] : []), ...lines, ...details]} />;
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
