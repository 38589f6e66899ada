import type { ControlResult } from '@qwen/protocol';
import * as z from 'zod/mini';

/** One MCP server as the CLI sees it. */
export interface McpServerState {
  readonly name: string;
  /** `connected`, `connecting` or `disconnected`. */
  readonly status: string;
  /** Why it is not connected, for people. */
  readonly error?: string | undefined;
}

/** A state is a word; some CLIs wrap it in an object. */
const stateSchema = z.union([z.string(), z.looseObject({ status: z.string() }), z.looseObject({ name: z.string() })]);

/** The states by server name, from every form in which CLIs answer `mcp_server_status` (CF-45). */
export function toServerStatus(answer: ControlResult<'mcp_server_status'>): Record<string, string> {
  return Object.fromEntries(toServerStates(answer).map(({ name, status }) => [name, status]));
}

/** The same as a list, with the reasons. */
export function toServerStates(answer: ControlResult<'mcp_server_status'>): McpServerState[] {
  return Object.entries(answer.status ?? answer.servers ?? {}).flatMap(([name, value]) => {
    const parsed = stateSchema.safeParse(value);
    const error = answer.errors?.[name];
    return parsed.success ? [{ name, status: toWord(parsed.data), ...(error !== undefined && { error }) }] : [];
  });
}

function toWord(state: z.infer<typeof stateSchema>): string {
  if (typeof state === 'string') return state;
  return typeof state['status'] === 'string' ? state['status'] : String(state['name']);
}
