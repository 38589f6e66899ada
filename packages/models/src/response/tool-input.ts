import { AgentError } from '@qwen/protocol';
import { isObject } from '../json.js';

export type ToolInput = { readonly input: Readonly<Record<string, unknown>> } | { readonly error: AgentError };

/** Empty arguments mean `{}`. Invalid JSON is not repaired: half a call could write half a file. */
export function readToolInput(name: string, json: string): ToolInput {
  if (json.trim() === '') return { input: {} };
  const value = parseJson(json);
  if (isObject(value)) return { input: value };
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
