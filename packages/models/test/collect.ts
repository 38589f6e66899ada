import type { Model, ModelPart, ModelRequest } from '@qwen/models';
import type { ManualClock } from './manual-clock.js';

export const QUESTION: ModelRequest = {
  model: 'model-under-test',
  system: 'Be brief.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
};

export interface Collecting {
  /** Retry delays are skipped. */
  readonly clock?: ManualClock;
  readonly hasFallback?: boolean;
}

/** Reads all parts. */
export async function collect(
  model: Model,
  request: ModelRequest,
  { clock, hasFallback = false }: Collecting = {},
): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of model.stream(request, { signal: new AbortController().signal, hasFallback })) {
    parts.push(part);
    if (part.type === 'retry') void clock?.fire(part.delayMs);
  }
  return parts;
}

export function partsOf<T extends ModelPart['type']>(
  parts: readonly ModelPart[],
  type: T,
): Extract<ModelPart, { type: T }>[] {
  return parts.filter((part): part is Extract<ModelPart, { type: T }> => part.type === type);
}

export function textOf(parts: readonly ModelPart[]): string {
  return partsOf(parts, 'text_delta')
    .map((part) => part.text)
    .join('');
}

/** Throws if the response did not fail. */
export function failureOf(parts: readonly ModelPart[]): Extract<ModelPart, { type: 'failure' }>['error'] {
  const last = parts.at(-1);
  if (last?.type !== 'failure') throw new Error(`the answer ended with ${last?.type}`);
  return last.error;
}
