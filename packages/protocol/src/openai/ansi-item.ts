import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { openObject } from '../open-object.js';

/** An escape sequence and the UTF-16 offset before which it is written. */
export const ansiItemSchema = lazySchema(() => openObject({ offset: z.number(), sequence: z.string() }));
export type AnsiItem = z.infer<typeof ansiItemSchema>;
