import type { ModelUsage } from '@qwen/agent';
import type { SessionRecord } from '@qwen/protocol';
import type { Command } from '../command.js';
import { info } from '../command-outcome.js';
import { list, plural, unknownSubcommand } from './command-parts.js';

const stats: Command = {
  name: 'stats',
  description: 'Show session statistics.',
  aliases: ['usage', 'cost'],
  kind: 'built-in',
  run: async ({ args }, { session }) => {
    if (args !== '') return unknownSubcommand('stats', args);
    const { models, turns } = await session.usage();
    const { totalTokens, windowTokens, isEstimated } = await session.contextUsage();
    const spent = [...models.values()];
    const total = (member: 'calls' | 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'reasoningTokens') =>
      spent.reduce((sum, one) => sum + one[member], 0);
    return info(
      [
        `Session: ${session.sessionId}`,
        `Turns: ${turns}`,
        `Model calls: ${total('calls')}`,
        `Tokens: ${total('inputTokens')} in, ${total('outputTokens')} out`,
        `Of these: ${total('cachedTokens')} cached, ${total('reasoningTokens')} reasoning`,
        `Cost: ${costWords(spent)}`,
        `Context: ${isEstimated ? 'about ' : ''}${totalTokens}${windowTokens === undefined ? '' : ` of ${windowTokens}`} tokens`,
      ].join('\n'),
    );
  },
};

/** Models without a known price are not counted as free. */
function costWords(spent: readonly ModelUsage[]): string {
  if (spent.length === 0) return '$0';
  const known = spent.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  if (known.length === 0) return 'unknown (set modelOptions.prices)';
  const sum = `$${known.reduce((total, cost) => total + cost, 0).toFixed(4)}`;
  return known.length === spent.length ? sum : `${sum}, and models without a known price`;
}

const perModel: Command = {
  name: 'stats model',
  description: 'Show usage per model.',
  kind: 'built-in',
  run: async (_call, { session }) => {
    const lines = [...(await session.usage()).models].map(
      ([name, used]) =>
        `${name}: ${plural(used.calls, 'call')}, ${used.inputTokens} tokens in (${used.cachedTokens} cached), ` +
        `${used.outputTokens} out (${used.reasoningTokens} reasoning), cost ${costWords([used])}`,
    );
    return info(list('Models:', lines, 'There are no model calls yet.'));
  },
};

const perTool: Command = {
  name: 'stats tools',
  description: 'Show tool calls in this conversation.',
  kind: 'built-in',
  run: async (_call, { session }) =>
    info(list('Tools:', toolLines(await session.records()), 'There are no tool calls in this conversation.')),
};

function toolLines(records: readonly SessionRecord[]): string[] {
  const counts = new Map<string, { calls: number; failed: number }>();
  for (const record of records) {
    if (record.type !== 'tool_result') continue;
    const { calls, failed } = counts.get(record.tool_name) ?? { calls: 0, failed: 0 };
    counts.set(record.tool_name, { calls: calls + 1, failed: failed + (record.is_error ? 1 : 0) });
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other.calls - one.calls)
    .map(([name, { calls, failed }]) => `${name}: ${plural(calls, 'call')}${failed === 0 ? '' : `, ${failed} failed`}`);
}

const context: Command = {
  name: 'context',
  description: 'Show what fills the context window.',
  kind: 'built-in',
  run: async (_call, { session }) => {
    const { contextReport } = await import('./context-report.js');
    return info(contextReport(await session.contextUsage()));
  },
};

export const statsCommands: readonly Command[] = [stats, perModel, perTool, context];
