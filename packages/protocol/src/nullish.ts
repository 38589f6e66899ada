import * as z from 'zod/mini';

/** Missing and null are equivalent. */
export const nullish = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema));
