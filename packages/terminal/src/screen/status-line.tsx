import { useAnimation, useIsScreenReaderEnabled } from 'ink';
import type { ReactElement } from 'react';
import { Lines } from '../lines/lines-view.js';
import { toShownInOne } from '../lines/shown-text.js';
import { cutLine } from '../lines/wrap-line.js';
import type { RunningTurn } from '../state/terminal-state.js';
import { toDuration, toTokens } from '../transcript/figures.js';

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

const PHASES: Readonly<Record<RunningTurn['phase'], string>> = {
  thinking: 'Thinking',
  answering: 'Answering',
  tools: 'Working',
  waiting: 'Waiting for the model',
  retrying: 'Retrying',
};

export function statusWords(turn: RunningTurn, nowMs: number): string {
  if (turn.isCancelling) return 'Stopping …';
  const { retry } = turn;
  const phase =
    retry === undefined
      ? PHASES[turn.phase]
      : `Retrying in ${Math.max(0, Math.ceil((retry.until - nowMs) / 1000))} s (attempt ${retry.attempt})`;
  // Last, because it may be long and is cut.
  const reason = retry === undefined ? [] : [toShownInOne(retry.reason)];
  const tokens = turn.outputTokens < 1 ? [] : [`~${toTokens(turn.outputTokens)} tokens`];
  return [phase, toDuration(nowMs - turn.startedAt), ...tokens, 'Esc to interrupt', ...reason].join(' · ');
}
