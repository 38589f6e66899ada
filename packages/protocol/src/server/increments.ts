import * as z from 'zod/mini';
import { type ContentDelta, contentBlockSchema, deltaSchema } from '../content.js';
import { lazySchema } from '../lazy-schema.js';
import { openObject } from '../open-object.js';
import { MESSAGE_PLACE } from './places.js';

const countsSchema = lazySchema(() => openObject({ input_tokens: z.number(), output_tokens: z.number() }));

/** A piece of a block. `tool_output_delta` is reserved and never sent. */
export type Fragment = ContentDelta;

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
      delta: deltaSchema,
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
