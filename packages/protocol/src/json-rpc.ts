import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';

/** JSON-RPC ids may be 0 or missing; never test them for truthiness. */
const jsonRpcIdSchema = lazySchema(() => z.union([z.string(), z.number(), z.null()]));

/** A JSON-RPC message of the Model Context Protocol, in either direction. */
export const jsonRpcMessageSchema = lazySchema(() =>
  openObject({
    jsonrpc: z.optional(z.string()),
    id: z.optional(jsonRpcIdSchema),
    method: z.optional(z.string()),
    params: z.optional(z.unknown()),
    result: z.optional(z.unknown()),
    error: z.optional(openObject({ code: z.number(), message: z.string(), data: z.optional(z.unknown()) })),
  }),
);
export type JsonRpcMessage = z.infer<typeof jsonRpcMessageSchema>;
