import type { ToolOutcome } from '@qwen/agent';
import { toPlainText } from '../../dialects/remarks/remark-on.js';
import { readStyledText } from '../../dialects/remarks/styled-text.js';
import { toShownLines } from '../lines/shown-text.js';
import type { StyledLine } from '../lines/styled-line.js';
import { cutLine } from '../lines/wrap-line.js';

/** Lines of a result that are shown; all of them with Ctrl-O. */
const SHOWN_LINES = 8;

/** A call that is over, in short. */
export function toolCardLines(outcome: ToolOutcome, columns: number): readonly StyledLine[] {
  const { name, content, isError } = outcome;
  const token = isError ? 'AccentRed' : 'AccentGreen';
  const lines = toShownLines(readStyledText(toPlainText(content)).text.trimEnd());
  const missing = lines.length - SHOWN_LINES;
  return [
    [
      { text: `${isError ? '✗' : '✓'} `, token },
      { text: name, bold: true },
    ],
    ...lines.slice(0, SHOWN_LINES).map((text) => cutLine([{ text: `  ${text}`, token: 'Gray' }], columns)),
    ...(missing > 0 ? [[{ text: `  … ${missing} lines more, Ctrl-O shows them`, token: 'Gray' } as const]] : []),
  ];
}
