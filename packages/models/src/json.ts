import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';

/** Neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads absent, null and invalid members as missing. */
export const lenient = <T extends z.ZodMiniType>(schema: T) => orElse(z.nullish(schema), undefined);

export const lenientText = lenient(z.string());

export const lenientCount = lenient(z.number());
