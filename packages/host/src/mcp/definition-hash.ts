import { createHash } from 'node:crypto';
import type { CliMcpServerConfig } from '@qwen/protocol';

/**
 * Stands for everything that a definition says (S50): a server whose command, arguments, variables, address or anything
 * else changed is another server. The order of members does not matter.
 */
export function hashDefinition(config: CliMcpServerConfig): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(config)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
