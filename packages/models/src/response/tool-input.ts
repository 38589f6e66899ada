import { AgentError, isJsonObject, parseOrRepairJson } from '@qwen/protocol';

export type ToolInput = { readonly input: Readonly<Record<string, unknown>> } | { readonly error: AgentError };

/** Empty arguments mean `{}`. Complete JSON is repaired; half a call could write half a file. */
export function readToolInput(name: string, json: string): ToolInput {
  if (json.trim() === '') return { input: {} };
  const value = unwrapped(parseOrRepairJson(json));
  if (isJsonObject(value)) return { input: value };
  if (/^\s*\*\*\* Begin Patch\r?\n[\s\S]*\n\*\*\* End Patch\s*$/.test(json)) return { input: { patch: json } };
  return refuseToolInput(name, value === undefined ? 'are not complete JSON' : 'are not a JSON object');
}

export function refuseToolInput(name: string, problem: string): ToolInput {
  return {
    error: new AgentError('invalid_tool_input', `The arguments of ${name} ${problem}, so it was not called.`),
  };
}

/** Replaces missing and duplicate ids. */
export class CallIds {
  readonly #used = new Set<string>();

  take(wanted: string | undefined): string {
    const id = wanted === undefined || wanted === '' || this.#used.has(wanted) ? `call_${crypto.randomUUID()}` : wanted;
    this.#used.add(id);
    return id;
  }
}

/** `null`, JSON in a JSON string, or the only object of a list. */
function unwrapped(value: unknown): unknown {
  if (value === null) return {};
  if (Array.isArray(value) && value.length === 1) return value[0];
  const inner = typeof value === 'string' ? parseOrRepairJson(value) : undefined;
  return inner === undefined ? value : unwrapped(inner);
}
