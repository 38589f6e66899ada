import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member that we can do without: absent, null and anything that does not fit the schema all read as nothing. */
export const lenient = <T extends z.ZodMiniType>(schema: T) => orElse(z.nullish(schema), undefined);

/** A text that we can do without. */
export const lenientText = lenient(z.string());

/** A number that we can do without. */
export const lenientCount = lenient(z.number());
