import type { ChangeStat, ToolDisplay, ToolOutcome } from '@qwen/agent';
import { toPlainText } from '@qwen/host/styled-output/output-for.js';
import { FILE_READING_TOOLS } from '@qwen/protocol';
import { toShownDenial } from '../dialogs/questions/permission-choices.js';
import { diffLines } from '../diff/diff-lines.js';
import { foldEnd } from '../lines/fold-lines.js';
import { toShownInOne } from '../lines/shown-text.js';
import type { Segment, StyledLine } from '../lines/styled-line.js';
import { wrapLine } from '../lines/wrap-line.js';
import { markdownLines } from '../markdown/markdown-stream.js';
import { toolCallLine } from './call-line.js';
import type { CardOptions } from './card-options.js';
import { outputLines } from './output-lines.js';
import { subagentLines } from './subagent-lines.js';
import { todoLines } from './todo-lines.js';

export interface ResultOptions extends CardOptions {
  /** Omitted lines are counted. `Infinity` shows all. */
  readonly maxLines: number;
}

const INDENT = 2;
/** Too narrow to indent. */
const FEWEST_COLUMNS = 12;

/** Tools whose results are for the model; the user sees only how much was read. */
const QUIET: ReadonlySet<string> = new Set(FILE_READING_TOOLS);

export function toolCard(
  call: { readonly input: unknown; readonly outcome: ToolOutcome },
  options: ResultOptions,
): StyledLine[] {
  const { input, outcome } = call;
  const { columns, isScreenReader = false } = options;
  const indent = isScreenReader || columns < FEWEST_COLUMNS ? 0 : INDENT;
  const lines = resultLines(outcome, { ...options, columns: columns - indent });
  return [
    toolCallLine({ name: outcome.name, input, state: outcome.status }, options),
    ...lines.map((line): StyledLine => (indent === 0 ? line : [{ text: ' '.repeat(indent) }, ...line])),
  ];
}

export function resultLines(outcome: ToolOutcome, options: ResultOptions): StyledLine[] {
  const { display, status, name, content, denial } = outcome;
  if (display !== undefined) return displayLines(display, options);
  const text = denial?.reason === undefined ? toPlainText(content) : toShownDenial(denial.reason);
  if (status === 'canceled') return wrapLine([{ text: toShownInOne(text), token: 'AccentYellow' }], options.columns);
  if (status === 'success' && QUIET.has(name) && Number.isFinite(options.maxLines)) return [countLine(text)];
  const lines = text.trim() === '' ? [] : outputLines(text, { ...options, isProse: status === 'error' });
  return status === 'error' ? lines.map(inRed) : lines;
}

function displayLines(display: ToolDisplay, options: ResultOptions): StyledLine[] {
  const { columns, isScreenReader = false } = options;
  switch (display.kind) {
    case 'text':
      return display.text.trim() === '' ? [] : outputLines(display.text, options);
    case 'diff':
      return [...wrapLine(statLine(display.stat, isScreenReader), columns), ...diffLines(display.diff, options)];
    case 'todos':
      return todoLines(display.todos, options);
    case 'plan': {
      const message = wrapLine([{ text: toShownInOne(display.message), token: 'Gray' }], columns);
      const plan = markdownLines(display.plan, { columns, isScreenReader });
      return [...message, ...foldEnd(plan, options)];
    }
    case 'task':
      return subagentLines(display, options);
  }
}

function statLine({ aiAdded, aiRemoved, userAdded, userRemoved }: ChangeStat, isScreenReader: boolean): StyledLine {
  const hasHelped = userAdded + userRemoved > 0;
  if (isScreenReader) {
    const byPerson = hasHelped ? `; by you: ${userAdded} added, ${userRemoved} removed` : '';
    return [{ text: `Lines: ${aiAdded} added, ${aiRemoved} removed${byPerson}` }];
  }
  return [
    { text: `+${aiAdded}`, token: 'DiffAdded' },
    { text: ' ' },
    { text: `−${aiRemoved}`, token: 'DiffRemoved' },
    { text: hasHelped ? ` (+${userAdded} −${userRemoved} by you)` : '', token: 'Gray' },
  ];
}

function countLine(text: string): StyledLine {
  const count = text.trim() === '' ? 0 : text.trimEnd().split('\n').length;
  return [{ text: `${count} ${count === 1 ? 'line' : 'lines'}`, token: 'Gray' }];
}

/** Keeps existing colours. */
function inRed(line: StyledLine): StyledLine {
  return line.map((segment): Segment => ({ token: 'AccentRed', ...segment }));
}
