import { toShownInOne } from '../lines/shown-text.js';
import type { RunningTurn } from '../state/terminal-state.js';
import { toDuration, toTokens } from '../transcript/figures.js';

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
