import type { ControlResult } from '@qwen/protocol';
import * as z from 'zod/mini';

/** State of one MCP server. */
export interface McpServerState {
  readonly name: string;
  /** `connected`, `connecting` or `disconnected`. */
  readonly status: string;
  /** Human-readable reason why it is not connected. */
  readonly error?: string | undefined;
}

/** A string; some CLIs wrap it in an object. */
const stateSchema = z.lazy(() =>
  z.union([z.string(), z.looseObject({ status: z.string() }), z.looseObject({ name: z.string() })]),
);

export function toServerStatus(answer: ControlResult<'mcp_server_status'>): Record<string, string> {
  return Object.fromEntries(toServerStates(answer).map(({ name, status }) => [name, status]));
}

export function toServerStates(answer: ControlResult<'mcp_server_status'>): McpServerState[] {
  return Object.entries(answer.status ?? answer.servers ?? {}).flatMap(([name, value]) => {
    const parsed = stateSchema.safeParse(value);
    const error = answer.errors?.[name];
    return parsed.success ? [{ name, status: toText(parsed.data), ...(error !== undefined && { error }) }] : [];
  });
}

function toText(state: z.infer<typeof stateSchema>): string {
  if (typeof state === 'string') return state;
  return typeof state['status'] === 'string' ? state['status'] : String(state['name']);
}
