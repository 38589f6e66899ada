import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';
import { openUnion } from '../open-union.js';

const blob = openObject({ mime_type: z.string(), data: z.string() });
const file = openObject({ file_uri: z.string(), mime_type: nullish(z.string()) });
const functionResponse = openObject({
  id: nullish(z.string()),
  name: nullish(z.string()),
  /** The result for the model: text or any JSON. */
  response: z.optional(z.unknown()),
});

/** A part of the input. Unknown kinds are accepted and not sent to a model. */
export const chatPartSchema = lazySchema(() =>
  openUnion(
    ['text', 'instruction', 'function_response', 'file_data', 'inline_data'],
    [
      openObject({ type: z.literal('text'), text: z.string() }),
      /** A command line of the program, with origin `system`. */
      openObject({ type: z.literal('instruction'), text: z.string() }),
      openObject({ type: z.literal('function_response'), function_response: functionResponse }),
      openObject({ type: z.literal('file_data'), file_data: file }),
      openObject({ type: z.literal('inline_data'), inline_data: blob }),
    ],
  ),
);
export type ChatPart = z.infer<typeof chatPartSchema>;
