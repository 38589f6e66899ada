import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';

/** A member that we can do without: absent, null and anything that does not fit the schema all read as nothing. */
export const lenient = <T extends z.ZodMiniType>(schema: T) => orElse(z.nullish(schema), undefined);

/** A text that we can do without. */
export const lenientText = lenient(z.string());

/** A number that we can do without. */
export const lenientCount = lenient(z.number());
