import { type Key, useInput, usePaste } from 'ink';
import { useLayoutEffect, useState } from 'react';

interface KeyHandlers {
  readonly onKey: (input: string, key: Key) => void;
  /** Default: a paste is dropped. */
  readonly onPaste?: (text: string) => void;
}

/** Receives keys from the frame on that first shows the component, and none after the one that no longer does. */
export function useKeys({ onKey, onPaste = () => undefined }: KeyHandlers): void {
  useInput(onKey);
  usePaste(onPaste);
  // Ink subscribes in passive effects, some time after the frame is shown; a second render runs them at once.
  const [, renderAgain] = useState(false);
  useLayoutEffect(() => renderAgain(true), []);
}
