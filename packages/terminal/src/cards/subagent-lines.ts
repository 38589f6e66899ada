import type { SubagentRun } from '@qwen/agent';
import { foldEnd } from '../lines/fold-lines.js';
import { toShownInOne } from '../lines/shown-text.js';
import type { StyledLine } from '../lines/styled-line.js';
import { wrapLine } from '../lines/wrap-line.js';
import { markdownLines } from '../markdown/markdown-stream.js';
import { toolTitle } from './call-words.js';
import type { CardOptions } from './card-options.js';

const STATES: Readonly<Record<SubagentRun['status'], string>> = {
  running: 'works',
  completed: 'is done',
  failed: 'failed',
  cancelled: 'was cancelled',
};

export function subagentLines(run: SubagentRun, options: CardOptions & { readonly maxLines: number }): StyledLine[] {
  const { columns, isScreenReader = false } = options;
  const { agent, status, reason, result } = run;
  const why = reason === undefined ? '' : `: ${toShownInOne(reason)}`;
  const token = status === 'failed' ? 'AccentRed' : status === 'cancelled' ? 'AccentYellow' : 'Gray';
  const facts = [`${toShownInOne(agent)} ${STATES[status]}${why}`, ...countsOf(run.toolCalls)].join(' · ');
  const report = result === undefined ? [] : markdownLines(result, { columns, isScreenReader });
  return foldEnd([...wrapLine([{ text: facts, token }], columns), ...report], options);
}

/** `4 calls: 3 Read, 1 Run` and `1 failed`. */
function countsOf(calls: SubagentRun['toolCalls']): readonly string[] {
  if (calls.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { name } of calls) {
    const title = toolTitle(name);
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  const kinds = [...counts].map(([title, count]) => `${count} ${title}`).join(', ');
  const failed = calls.filter(({ status }) => status === 'error').length;
  return [
    `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}: ${kinds}`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ];
}
