import { Box, type DOMElement, measureElement, useApp, useCursor, useIsScreenReaderEnabled } from 'ink';
import { type ReactElement, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { Lines } from '../lines/lines-view.js';
import { useKeys } from '../use-keys.js';
import { composerLines, textColumns } from './composer-lines.js';
import type { ComposerHandlers, ComposerStore, KeyContext } from './composer-store.js';
import { toKeystrokes } from './keystroke.js';

export interface ComposerProps extends ComposerHandlers {
  /** Create it once with `createComposer`, so that it outlives the box. */
  readonly composer: ComposerStore;
  readonly columns: number;
  /** Includes what is shown below the text. */
  readonly maxRows: number;
}

/** The input box. Leaves other keys (Shift-Tab, Ctrl-Z, …) to the screen. */
export function Composer({ composer, columns, maxRows, ...handlers }: ComposerProps): ReactElement {
  const state = useSyncExternalStore(composer.subscribe, composer.getState);
  const isSpoken = useIsScreenReaderEnabled();
  const top = useRef({ line: 0, row: 0 });
  const box = useRef<DOMElement>(null);
  const { suspendTerminal } = useApp();
  const { setCursorPosition } = useCursor();
  const keyContext: KeyContext = {
    columns: textColumns(columns),
    handlers,
    withTerminal: (work) => suspendTerminal(work),
  };
  useKeys({
    onKey: (input, key) => {
      for (const keystroke of toKeystrokes(input, key)) composer.press(keystroke, keyContext);
    },
    onPaste: (text) => composer.paste(text),
  });
  const picture = composerLines(state, { columns, rows: maxRows, isSpoken, top: top.current });
  useLayoutEffect(() => {
    top.current = picture.top;
  });
  const { row, column } = picture.cursor;
  // Ink reads the position while drawing, when the height above is known.
  const position = {
    x: column,
    get y() {
      return row + (box.current === null ? 0 : measureElement(box.current).y);
    },
  };
  setCursorPosition(position);
  return (
    <Box ref={box} flexDirection="column" flexShrink={0}>
      <Lines lines={picture.lines} />
    </Box>
  );
}
