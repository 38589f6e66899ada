// How Ink ends a frame in which the cursor is shown: so many lines up from below the last one, then to a column.
// oxlint-disable-next-line no-control-regex -- sequences are what is looked for.
const CURSOR_PLACE = /(?:\u001b\[(\d+)A)?\u001b\[(\d+)G\u001b\[\?25h$/;
// oxlint-disable-next-line no-control-regex -- sequences are what is looked for.
const MODES = /^(?:\u001b\[[?<>=][\d;]*[a-z])+$/;
// oxlint-disable-next-line no-control-regex -- sequences are what is looked for.
const ONLY_SEQUENCES = /^(?:\u001b\[[\d;?]*[A-Za-z])+$/;

/** Where the cursor is: so many lines above the place below the frame, and the column. */
interface CursorPlace {
  readonly up: number;
  readonly column: number;
}

/**
 * A terminal for Ink that may become smaller. Terminals break the lines that are too long by then, and Ink, which counts
 * lines as it wrote them, would leave some of its last frame behind: here the frame is erased as high as it is now, and
 * what Ink erases in its place is dropped. `widths` gives those of
 * the lines that were drawn last, from above. Gives the terminal and the undo.
 */
export function resizableOutput(
  output: NodeJS.WriteStream,
  widths: () => readonly number[],
): { readonly output: NodeJS.WriteStream; readonly release: () => void } {
  const writeOut = output.write.bind(output);
  let { columns, rows } = output;
  let cursor: CursorPlace | undefined;
  let isErased = false;

  const eraseFrame = (): void => {
    // As Ink decides it: it erases and draws anew just then.
    const isSmaller = output.columns < columns || (output.rows < rows && cursor !== undefined);
    if (isSmaller) {
      const up = Math.min(rowsAbove(widths(), cursor, output.columns), rows - 1);
      output.write(`${up === 0 ? '' : `\u001b[${up}A`}\r\u001b[J`);
      isErased = true;
    }
    ({ columns, rows } = output);
  };

  const write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : '';
    if (text !== '' && !MODES.test(text)) {
      if (isErased && ONLY_SEQUENCES.test(text)) return true;
      isErased = false;
      cursor = placeBehind(text);
    }
    return Reflect.apply(writeOut, undefined, [chunk, ...rest]);
  };
  // Before those of Ink.
  output.prependListener('resize', eraseFrame);
  const watched = new Proxy(output, {
    get: (target, name) => {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { output: watched, release: () => output.off('resize', eraseFrame) };
}

function placeBehind(text: string): CursorPlace | undefined {
  const [, up = '0', place] = CURSOR_PLACE.exec(text) ?? [];
  return place === undefined ? undefined : { up: Number(up), column: Number(place) - 1 };
}

/** Rows from the top of the frame to the cursor, now that the terminal has so many columns. */
function rowsAbove(widths: readonly number[], cursor: CursorPlace | undefined, columns: number): number {
  const { up, column } = cursor ?? { up: 0, column: 0 };
  const above = widths.slice(0, Math.max(0, widths.length - up));
  const rows = above.map((width) => Math.max(1, Math.ceil(width / columns)));
  return rows.reduce((sum, count) => sum + count, Math.floor(column / columns));
}
