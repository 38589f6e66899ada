import type { SubagentRun, ToolOutcome, ToolPreview } from '@qwen/agent';
import { verifies } from '@qwen/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from '../diff/diff-lines.js';
import type { StyledLine } from '../lines/styled-line.js';
import { lineWidth } from '../lines/text-width.js';
import { markdownLines } from '../markdown/markdown-stream.js';
import { paintLine } from '../theme/paint-line.js';
import { ANSI } from '../theme/themes.js';
import { toolCallLine } from './call-line.js';
import { outputLines, outputTail } from './output-lines.js';
import { previewLines } from './preview-lines.js';
import { toolCard } from './result-lines.js';

/** What models, tools, files and servers could say to take over a terminal. */
const aText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001b[2J',
        '\u001b]52;c;eA==\u0007',
        '\u001b]8;;http://x\u001b\\',
        '\u001bP1$q\u001b\\',
        '\u001b[31m',
      ),
      fc.constantFrom(
        '\u009b1A',
        '\u009d0;x\u009c',
        '\u202e',
        '\u2066',
        '\u200b',
        '\u200d',
        '\ufeff',
        '\u2028',
        '\u00ad',
      ),
      fc.constantFrom(
        '\r',
        '\r\n',
        '\n',
        '\t',
        '\b',
        '\u0000',
        '\u007f',
        '\ud83d',
        '\udc00',
        '日本',
        'e\u0301',
        '👩‍👩‍👧',
        '\u0301',
      ),
      fc.constantFrom(
        '# ',
        '- ',
        '`',
        '```ts\n',
        '| a |\n|-|\n',
        '**',
        '[x](',
        ')',
        '> ',
        '+',
        '-',
        ' ',
        '@@ -1 +1 @@\n',
        'word',
      ),
    ),
    { maxLength: 24 },
  )
  .map((pieces) => pieces.join(''));

const outcomeOf = (part: Partial<ToolOutcome>): ToolOutcome => ({
  callId: 'c',
  name: 'run_shell_command',
  uuid: 'u',
  content: '',
  isError: false,
  status: 'success',
  ...part,
});

/** All that is drawn of a text, wherever it may come in. */
function everything(text: string, isScreenReader: boolean): readonly StyledLine[] {
  const options = { columns: 24, maxLines: 20, isScreenReader, folder: '/work' };
  const run: SubagentRun = {
    kind: 'task',
    agent: text,
    description: text,
    prompt: text,
    status: 'failed',
    reason: text,
    result: text,
    toolCalls: [{ callId: 'c', name: text }],
  };
  const stat = { aiAdded: 1, aiRemoved: 1, userAdded: 0, userRemoved: 0 };
  const outcomes: readonly Partial<ToolOutcome>[] = [
    { content: text, isError: true, status: 'error', name: text },
    { content: text, isError: true, status: 'canceled' },
    { content: [{ type: 'text', text }] },
    { display: { kind: 'text', text } },
    { display: { kind: 'diff', path: text, diff: `@@ -1,2 +1,2 @@\n-a\n+${text}`, stat } },
    { display: { kind: 'todos', todos: [{ id: text, content: text, status: 'pending' }] } },
    { display: { kind: 'plan', message: text, plan: text } },
    { display: run },
  ];
  const previews: readonly ToolPreview[] = [
    { type: 'exec', command: text, rootCommand: text },
    { type: 'edit', path: text, diff: text },
    { type: 'mcp', server: text, tool: text, displayName: text },
    { type: 'info', prompt: text, urls: [text] },
    { type: 'plan', plan: text },
  ];
  const input = { command: text, description: text, directory: text, [text]: text };
  return [
    ...markdownLines(text, options),
    ...diffLines(text, options),
    ...outputLines(text, options),
    ...outputTail(text, options),
    toolCallLine({ name: `mcp__${text}__${text}`, input, state: 'running' }, options),
    toolCallLine({ name: 'run_shell_command', input, state: 'running' }, options),
    ...outcomes.flatMap((part) => toolCard({ input, outcome: outcomeOf(part) }, options)),
    ...previews.flatMap((preview) => previewLines({ toolName: text, input, preview }, options)),
  ];
}

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for.
const OURS = /\u001b\[[\d;]*m/g;

test('hostile text produces no foreign sequence, nothing hidden and no overlong line', () => {
  verifies('S25');
  fc.assert(
    fc.property(aText, fc.boolean(), (text, isScreenReader) => {
      for (const line of everything(text, isScreenReader)) {
        expect(lineWidth(line)).toBeLessThanOrEqual(24);
        const left = paintLine(line, ANSI).replaceAll(OURS, '');
        expect(left).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u);
      }
    }),
    { numRuns: 300 },
  );
});

test('lines are already escaped when they reach the painter', () => {
  fc.assert(
    fc.property(aText, (text) => {
      for (const line of everything(text, false)) {
        expect(paintLine(line, ANSI).replaceAll(OURS, '')).toBe(line.map((segment) => segment.text).join(''));
      }
    }),
  );
});
