import { AgentError } from '@qwen/protocol';
import { isObject } from '../json.js';

/** The arguments of a tool call, read: an object, or why there is none. */
export type ToolInput = { readonly input: Readonly<Record<string, unknown>> } | { readonly error: AgentError };

/**
 * Reads the arguments of a call. No arguments at all mean an empty object. Nothing is repaired: half a call that is
 * made to parse would write half a file (F75).
 */
export function readToolInput(name: string, json: string): ToolInput {
  if (json.trim() === '') return { input: {} };
  const value = parseJson(json);
  if (isObject(value)) return { input: value };
  return refuseToolInput(name, value === undefined ? 'are not whole JSON' : 'are not a JSON object');
}

/** The refusal of a call whose arguments cannot be trusted, in words that the model can act on. */
export function refuseToolInput(name: string, problem: string): ToolInput {
  return {
    error: new AgentError('invalid_tool_input', `The arguments of ${name} ${problem}, so it was not called.`),
  };
}

/** Ids for the calls of one answer: the provider's where it is new, a minted one where it is missing or used (F76). */
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
