import type { AgentEvent } from '@qwen/agent';
import { describeEnding } from '@qwen/host/remarks/remark-on.js';
import type { StyledLine } from '../lines/styled-line.js';
import { toDuration, toTokens } from './figures.js';
import { failureOf, noteOf, quietLine } from './note-lines.js';

type TurnEnd = Extract<AgentEvent, { type: 'turn_end' }>;

export function summaryLine({ durationMs, usage }: TurnEnd): StyledLine {
  const { input_tokens: read, output_tokens: said } = usage;
  return quietLine([toDuration(durationMs), `${toTokens(read)} in`, `${toTokens(said)} out`].join(' · '));
}

/** Why a turn did not end normally. */
export function endingLines(event: TurnEnd, columns: number): readonly StyledLine[] {
  const ending = describeEnding(event);
  if (ending === undefined) return [];
  return event.outcome.type === 'error' ? failureOf(ending.words, columns) : noteOf(ending.words, columns);
}
