import type { SessionRecord } from '@qwen/protocol';
import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';
import { list } from '../command-text.js';

export const statsToolsCommand: Command = {
  name: 'stats tools',
  description: 'Shows which tools this conversation has called.',
  kind: 'built-in',
  run: async (_call, { session }) =>
    says(list('Tools:', toolLines(await session.records()), 'No tool was called in this conversation.')),
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
    .map(([name, { calls, failed }]) => `${name}: ${calls} call(s)${failed === 0 ? '' : `, ${failed} failed`}`);
}
