import * as z from 'zod/mini';
import { contentBlockSchema } from '../content.js';
import { lazySchema } from '../lazy-schema.js';
import { openObject } from '../open-object.js';
import { openUnion } from '../open-union.js';
import { MESSAGE_PLACE } from './places.js';

const countsSchema = lazySchema(() => openObject({ input_tokens: z.number(), output_tokens: z.number() }));

/** A piece of a block. `tool_output_delta` is reserved and never sent. */
const fragmentSchema = lazySchema(() =>
  openUnion(
    ['text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta'],
    [
      openObject({ type: z.literal('text_delta'), text: z.string() }),
      openObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
      openObject({ type: z.literal('signature_delta'), signature: z.string() }),
      openObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
    ],
  ),
);
export type Fragment = z.infer<typeof fragmentSchema>;

/** Incremental events. The joined deltas of a block equal the block. */
export const INCREMENT_SCHEMAS = {
  'agent.message_start': lazySchema(() =>
    openObject({
      ...MESSAGE_PLACE,
      type: z.literal('agent.message_start'),
      message: openObject({
        id: z.string(),
        type: z.literal('message'),
        role: z.literal('assistant'),
        model: z.string(),
        content: z.array(contentBlockSchema),
        stop_reason: z.nullable(z.string()),
        stop_sequence: z.nullable(z.string()),
        usage: countsSchema,
      }),
    }),
  ),
  'agent.content_block_start': lazySchema(() =>
    openObject({
      ...MESSAGE_PLACE,
      type: z.literal('agent.content_block_start'),
      index: z.number(),
      content_block: contentBlockSchema,
    }),
  ),
  'agent.content_block_delta': lazySchema(() =>
    openObject({
      ...MESSAGE_PLACE,
      type: z.literal('agent.content_block_delta'),
      index: z.number(),
      delta: fragmentSchema,
    }),
  ),
  'agent.content_block_stop': lazySchema(() =>
    openObject({ ...MESSAGE_PLACE, type: z.literal('agent.content_block_stop'), index: z.number() }),
  ),
  'agent.message_delta': lazySchema(() =>
    openObject({
      ...MESSAGE_PLACE,
      type: z.literal('agent.message_delta'),
      delta: openObject({
        stop_reason: z.nullable(z.string()),
        stop_sequence: z.nullable(z.string()),
        container: z.null(),
      }),
      usage: countsSchema,
    }),
  ),
  'agent.message_stop': lazySchema(() => openObject({ ...MESSAGE_PLACE, type: z.literal('agent.message_stop') })),
} as const;

export type IncrementType = keyof typeof INCREMENT_SCHEMAS;

export function isIncrementType(type: string): type is IncrementType {
  return Object.hasOwn(INCREMENT_SCHEMAS, type);
}
