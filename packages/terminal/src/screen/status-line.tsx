import { useAnimation, useIsScreenReaderEnabled } from 'ink';
import type { ReactElement } from 'react';
import { Lines } from '../lines/lines-view.js';
import { cutLine } from '../lines/wrap-line.js';
import type { RunningTurn } from '../state/terminal-state.js';
import { statusWords } from './status-words.js';

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const STEP_MS = 100;

/** Screen readers get one announcement instead of an animation. */
export function StatusLine({ turn, columns }: { readonly turn: RunningTurn; readonly columns: number }): ReactElement {
  const isSpoken = useIsScreenReaderEnabled();
  const { frame } = useAnimation({ interval: STEP_MS, isActive: !isSpoken });
  if (isSpoken)
    return (
      <Lines lines={[[{ text: turn.isCancelling ? 'Stopping.' : 'The agent is working. Press Escape to stop it.' }]]} />
    );
  const sign = SPINNER[frame % SPINNER.length] ?? '';
  const words = statusWords(turn, Date.now());
  return <Lines lines={[cutLine([{ text: `${sign} ${words}`, token: 'AccentPurple' }], columns)]} />;
}
