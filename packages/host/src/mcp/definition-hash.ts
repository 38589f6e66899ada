import { createHash } from 'node:crypto';
import type { CliMcpServerConfig } from '@qwen/protocol';

/** Identifies a server's complete definition: any change makes it another server. Ignores member order. */
export function hashDefinition(config: CliMcpServerConfig): string {
  return hashValue(config);
}

export function hashValue(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
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
