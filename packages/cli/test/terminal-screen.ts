import { paint } from '@qwen/host/styled-output/ansi.js';
import { toTerminalText } from '@qwen/protocol/openai';
import { Terminal } from '@xterm/headless';
import { type Line, messagesOf } from './event-lists.js';

/** What a host writes to a terminal for a line: the content as its annotations say it looks, then their texts. */
export function replay(line: Line): string {
  return messagesOf(line)
    .map(({ role, content, annotations = [] }) => {
      const looks = annotations.filter((annotation) => annotation.type === 'x-qwen-terminal');
      const ansi = looks.find((look) => look.text === undefined)?.ansi ?? [];
      const around = looks.map((look) => paint(look.text ?? '', look.text === undefined ? [] : look.ansi));
      // What a tool says is for the model.
      const said = role === 'tool' ? '' : paint(toTerminalText(content ?? ''), ansi);
      return said + around.join('');
    })
    .join('');
}

/** What a terminal shows that this was written to: each cell with its colour and weight, row by row, and the cursor. */
export async function screenOf(written: string): Promise<readonly string[]> {
  const terminal = new Terminal({ cols: 60, rows: 24, scrollback: 5_000, convertEol: true, allowProposedApi: true });
  await new Promise<void>((resolve) => {
    terminal.write(written, resolve);
  });
  const buffer = terminal.buffer.active;
  const rows = Array.from({ length: buffer.length }, (_, row) => {
    const line = buffer.getLine(row);
    const cells = Array.from({ length: terminal.cols }, (_cell, column) => line?.getCell(column));
    return cells.map((cell) => `${cell?.getChars()}:${cell?.getFgColor()}:${cell?.isBold()}`).join('|');
  });
  terminal.dispose();
  return [...rows, `${buffer.cursorX},${buffer.cursorY}`];
}
