import type { ControlResult } from '@qwen/protocol';
import * as z from 'zod/mini';

/** A state is a word; some CLIs wrap it in an object. */
const stateSchema = z.union([z.string(), z.looseObject({ status: z.string() }), z.looseObject({ name: z.string() })]);

/** The states by server name, from every form in which CLIs answer `mcp_server_status` (CF-45). */
export function toServerStatus(answer: ControlResult<'mcp_server_status'>): Record<string, string> {
  const states: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.status ?? answer.servers ?? {})) {
    const parsed = stateSchema.safeParse(value);
    if (parsed.success) states[name] = toWord(parsed.data);
  }
  return states;
}

function toWord(state: z.infer<typeof stateSchema>): string {
  if (typeof state === 'string') return state;
  return typeof state['status'] === 'string' ? state['status'] : String(state['name']);
}
