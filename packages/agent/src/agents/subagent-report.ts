import { type AgentConfig, defined, type ToolResultOf, type Usage } from '@qwen/protocol';
import type { TurnOutcome } from '../events.js';
import type { TurnTally } from '../loop/turn-tally.js';
import type { SubagentTask, ToolResult } from '../tool.js';
import type { SubagentCall, SubagentRun } from '../tool-view.js';

export interface SubagentEnding {
  readonly callId: string;
  readonly task: SubagentTask;
  readonly agent: AgentConfig;
  readonly outcome: TurnOutcome | { readonly type: 'max_time' };
  readonly lastText: string;
  readonly toolCalls: readonly SubagentCall[];
  readonly tally: TurnTally;
  readonly durationMs: number;
}

export function toReport(ending: SubagentEnding): ToolResult {
  const { outcome, lastText } = ending;
  const cost = costOf(ending);
  const report = outcome.type === 'success' ? outcome.text.trim() : '';
  if (report !== '') {
    const display = toDisplay(ending, { result: report });
    return { content: `${report}\n\n${cost}`, display, structured: toStructured(ending, display) };
  }
  const reason = reasonOf(ending);
  const isSilent = outcome.type === 'success' || lastText.trim() === '';
  const said = isSilent ? '' : ` It said last:\n${lastText}`;
  const display = toDisplay(ending, { reason });
  const structured = toStructured(ending, display);
  return { content: `${reason}${said}\n\n${cost}`, isError: true, display, structured };
}

function toStructured(
  { callId, agent, task, tally, durationMs }: SubagentEnding,
  { status, result, reason }: SubagentRun,
): Required<ToolResult>['structured'] {
  const { toolCalls, usage } = tally;
  return {
    status: status === 'running' ? 'failed' : status,
    agentId: callId,
    agentType: agent.name,
    prompt: task.prompt,
    content: result === undefined ? [] : [{ type: 'text', text: result }],
    ...defined({ reason }),
    totalToolUseCount: toolCalls,
    totalDurationMs: Math.round(durationMs),
    totalTokens: totalTokens(usage),
    usage,
  } satisfies ToolResultOf<'task'>;
}

function toDisplay(
  { task, outcome, toolCalls }: SubagentEnding,
  end: Pick<SubagentRun, 'result' | 'reason'>,
): SubagentRun {
  const stopped = outcome.type === 'interrupted' ? 'cancelled' : 'failed';
  const status = end.result === undefined ? stopped : 'completed';
  return { kind: 'task', ...task, status, toolCalls, ...end };
}

function reasonOf({ agent, outcome }: SubagentEnding): string {
  switch (outcome.type) {
    case 'interrupted':
      return 'Interrupted: the subagent was stopped before it was done.';
    case 'max_turns':
      return `The subagent used up its ${outcome.limit} model calls (runConfig.maxTurns) before it was done.`;
    case 'max_time':
      return `The subagent used up its ${agent.runConfig?.maxTimeMinutes} minutes (runConfig.maxTimeMinutes) before it was done.`;
    case 'budget':
      return `The budget of the prompt (${outcome.limit}) was used up before the subagent was done.`;
    case 'error':
      return `The subagent failed: ${outcome.error.message} (${outcome.error.code}).`;
    case 'success':
      return 'The subagent ended without a report.';
  }
}

function costOf({ agent, tally, durationMs }: SubagentEnding): string {
  const { modelCalls, toolCalls, usage } = tally;
  const seconds = (durationMs / 1000).toFixed(1);
  return `(${agent.name}: ${modelCalls} model calls, ${toolCalls} tool calls, ${totalTokens(usage)} tokens, ${seconds} s)`;
}

function totalTokens(usage: Usage): number {
  return usage.total_tokens ?? usage.input_tokens + usage.output_tokens;
}
