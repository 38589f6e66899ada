import type { Command } from '../../command.js';
import { startingWith } from '../completions.js';

/** Names of MCP servers, with their state. */
export const completeServer: NonNullable<Command['complete']> = async (partial, { host }) =>
  startingWith(
    partial,
    (await host.mcp.list()).map(({ name, status }) => ({ value: name, description: status })),
  );
