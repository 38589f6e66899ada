import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';

/** Reads absent, null and invalid members as missing. */
export const lenient = <T extends z.ZodMiniType>(schema: T) => orElse(z.nullish(schema), undefined);

export const lenientText = lenient(z.string());

/** Some gateways write numbers as text. */
const digits = z.pipe(z.string().check(z.regex(/^\d+(?:\.\d+)?$/)), z.transform(Number));

export const lenientCount = lenient(z.union([z.number(), digits]));
