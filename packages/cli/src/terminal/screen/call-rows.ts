import { readStyledText } from '../../dialects/remarks/styled-text.js';
import { toShownInOne, toShownLines } from '../lines/shown-text.js';
import type { StyledLine } from '../lines/styled-line.js';
import { cutLine } from '../lines/wrap-line.js';
import type { LiveCall } from '../state/terminal-state.js';
import { toDuration } from '../transcript/figures.js';

/** Rows of the end of what a call prints. */
const TAIL_ROWS = 3;

/** The calls on their way, with the end of what the last one prints; at most `rows`, of the newest ones. */
export function callRows(
  calls: readonly LiveCall[],
  { columns, rows, nowMs }: { readonly columns: number; readonly rows: number; readonly nowMs: number },
): readonly StyledLine[] {
  const lines = calls.flatMap((call) => [headOf(call, nowMs), ...tailOf(call)]);
  return lines.slice(-rows || lines.length).map((line) => cutLine(line, columns));
}

/** How many rows they would like to have. */
export function wantedCallRows(calls: readonly LiveCall[]): number {
  return calls.reduce((sum, call) => sum + 1 + tailOf(call).length, 0);
}

const PHASES: Readonly<Record<LiveCall['phase'], string>> = {
  pending: 'waits',
  asking: 'asks',
  running: 'runs',
};

function headOf({ name, input, phase, startedAt, parentToolUseId }: LiveCall, nowMs: number): StyledLine {
  const time = phase === 'running' ? ` ${toDuration(nowMs - startedAt)}` : '';
  return [
    { text: parentToolUseId === null ? '• ' : '  • ', token: 'AccentYellow' },
    { text: toShownInOne(name), bold: true },
    { text: ` ${toShownInOne(shortInput(input))}`, token: 'Gray' },
    { text: ` ${PHASES[phase]}${time}`, token: 'AccentYellow' },
  ];
}

/** The member that says most: a command, a path, a pattern; else all of it. */
function shortInput(input: unknown): string {
  const members = Object.entries(Object(input));
  const said = members.find(([name, value]) => typeof value === 'string' && TELLING.has(name));
  const text = said === undefined ? (JSON.stringify(input) ?? '') : String(said[1]);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

const TELLING: ReadonlySet<string> = new Set([
  'command',
  'file_path',
  'path',
  'pattern',
  'query',
  'url',
  'description',
]);

function tailOf({ output, parentToolUseId }: LiveCall): readonly StyledLine[] {
  if (output === '' || parentToolUseId !== null) return [];
  const lines = toShownLines(readStyledText(output).text.trimEnd());
  return lines.slice(-TAIL_ROWS).map((text): StyledLine => [{ text: `    ${text}`, token: 'Gray' }]);
}
