import type { TodoItem } from '@qwen/agent';
import { toShownInOne } from '../lines/shown-text.js';
import type { Segment, StyledLine, TextStyle } from '../lines/styled-line.js';
import { wrapLine } from '../lines/wrap-line.js';
import type { CardOptions } from './card-options.js';

const LOOKS: Readonly<Record<TodoItem['status'], { mark: Segment; word: string; style: TextStyle }>> = {
  pending: { mark: { text: '[ ] ' }, word: 'open', style: {} },
  in_progress: { mark: { text: '[~] ', token: 'AccentYellow' }, word: 'doing now', style: { bold: true } },
  completed: { mark: { text: '[x] ', token: 'AccentGreen' }, word: 'done', style: { token: 'Gray' } },
};

export function todoMark(status: TodoItem['status']): Segment {
  return LOOKS[status].mark;
}

const MARK = 4;

export function todoLines(todos: readonly TodoItem[], { columns, isScreenReader = false }: CardOptions): StyledLine[] {
  return todos.flatMap(({ status, content }, index) => {
    const { mark, word, style } = LOOKS[status];
    const text: Segment = { text: toShownInOne(content), ...style };
    if (isScreenReader) return wrapLine([{ text: `${index + 1}. ${word}: ` }, text], columns);
    if (columns <= 2 * MARK) return wrapLine([mark, text], columns);
    return wrapLine([text], columns - MARK).map(
      (line, part): StyledLine => [part === 0 ? mark : { text: ' '.repeat(MARK) }, ...line],
    );
  });
}
