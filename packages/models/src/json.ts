import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';

/** Reads absent, null and invalid members as missing. */
export const lenient = <T extends z.ZodMiniType>(schema: T) => orElse(z.nullish(schema), undefined);

export const lenientText = lenient(z.string());

/** Some gateways write numbers as text. */
const digits = z.pipe(z.string().check(z.regex(/^\d+(?:\.\d+)?$/)), z.transform(Number));

/** Gateways send -1 for unknown. */
const MAX_COUNT = 1e12;

export const lenientCount = lenient(z.union([z.number(), digits]).check(z.gte(0), z.lte(MAX_COUNT)));
