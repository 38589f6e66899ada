import type { TodoItem, ToolDisplay } from '@qwen/agent';
import { escapeHidden } from '@qwen/protocol';
import type { Style, TextRun } from './styled-output.js';

/** More lines of a change or plan are counted, not shown. */
const SHOWN_LINES = 30;
const LINE_LENGTH = 160;

const ADDED: Style = { token: 'DiffAdded' };
const REMOVED: Style = { token: 'DiffRemoved' };
const ASIDE: Style = { token: 'Gray' };

const TODO_MARKS: Readonly<Record<TodoItem['status'], TextRun>> = {
  pending: '[ ] ',
  in_progress: ['[~] ', { token: 'AccentYellow' }],
  completed: ['[x] ', { token: 'AccentGreen' }],
};

/** Empty when only the model reads it. */
export function showDisplay(display: ToolDisplay): readonly TextRun[] {
  switch (display.kind) {
    case 'diff':
      return showLines(changedLines(display.diff), toDiffRun);
    case 'todos':
      return display.todos.flatMap(({ status, content }) => ['  ', TODO_MARKS[status], shorten(content), '\n']);
    case 'plan':
      return showLines(display.plan.trimEnd().split('\n'), (line) => line);
    case 'text':
    case 'task':
      return [];
  }
}

/** Without the file header, which the call already showed. */
function changedLines(diff: string): readonly string[] {
  const lines = diff.trimEnd().split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  return first === -1 ? [] : lines.slice(first);
}

function toDiffRun(line: string): TextRun {
  if (line.startsWith('+')) return [line, ADDED];
  if (line.startsWith('-')) return [line, REMOVED];
  return [line, ASIDE];
}

function showLines(lines: readonly string[], toRun: (line: string) => TextRun): readonly TextRun[] {
  const shown = lines.slice(0, SHOWN_LINES).flatMap((line): TextRun[] => ['  ', toRun(shorten(line)), '\n']);
  const missing = lines.length - SHOWN_LINES;
  return missing > 0
    ? [...shown, '  ', [`… (${missing} more ${missing === 1 ? 'line' : 'lines'})`, ASIDE], '\n']
    : shown;
}

/** A tab has no fixed width. */
function shorten(line: string): string {
  return escapeHidden(line.replaceAll('\t', '  '), { maxLength: LINE_LENGTH });
}
