import * as z from 'zod/mini';

/** Missing and null mean the same. */
export const nullish = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema));
