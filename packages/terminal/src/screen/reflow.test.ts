import { Terminal } from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reflowOf, rowsToTop } from './reflow.js';

test('detects the terminal by its variables', () => {
  expect(reflowOf({ TERM: 'xterm-256color' })).toBe('carries');
  expect(reflowOf({ TERM_PROGRAM: 'vscode' })).toBe('drifts');
  expect(reflowOf({ TERM_PROGRAM: 'vscode', TMUX: '/tmp/tmux-0/default,1,0' })).toBe('carries');
  expect(reflowOf({ TERM: 'linux' })).toBe('cuts');
  expect(reflowOf({ XTERM_VERSION: 'XTerm(390)' })).toBe('cuts');
  expect(reflowOf({ STY: '1.tty', TERM: 'screen' })).toBe('cuts');
});

test('counts wrapped lines and the cursor row', () => {
  const frame = { widths: [80, 10, 80, 63], cursor: { up: 3, column: 50 } };
  expect(rowsToTop(frame, { reflow: 'carries', columns: 40, lostRows: 0 })).toBe(3);
  expect(rowsToTop(frame, { reflow: 'cuts', columns: 40, lostRows: 0 })).toBe(1);
});

test('finds the frame after a resize that shifts it', async () => {
  const old = { columns: 80, rows: 24 };
  const changes = fc.record({
    widths: fc.array(fc.integer({ min: 1, max: old.columns }), { minLength: 1, maxLength: 10 }),
    cursorLine: fc.nat(10),
    columns: fc.integer({ min: 8, max: 100 }),
    rows: fc.integer({ min: 14, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(changes, async ({ widths, cursorLine, columns, rows }) => {
      const up = Math.max(1, widths.length - cursorLine);
      const terminal = new Terminal({ cols: old.columns, rows: old.rows, allowProposedApi: true });
      const write = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));
      await write('#above\r\n'.repeat(old.rows));
      const lines = widths.map((width, index) => String.fromCodePoint(97 + index).repeat(width));
      await write(`${lines.join('\r\n')}\r\n\u001b[${up}A\u001b[1G`);
      terminal.resize(columns, rows);
      const frame = { widths, cursor: { up, column: 0 } };
      const lostRows = Math.max(0, old.rows - rows);
      const toTop = rowsToTop(frame, { reflow: 'drifts', columns, lostRows });
      const { active } = terminal.buffer;
      const row = active.baseY + active.cursorY - toTop;
      const shown = [row - 1, row].map((at) => active.getLine(at)?.translateToString(true)[0]);
      terminal.dispose();
      expect(shown).toEqual(['#', 'a']);
    }),
  );
});
