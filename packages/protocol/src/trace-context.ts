import * as z from 'zod/mini';
import { isJsonObject } from './json-object.js';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';

/**
 * The span of a distributed trace that something belongs to, in the words of W3C Trace Context. What cannot be read as
 * such is nobody's fault that matters: it links nothing, and nothing is refused for it.
 */
export const traceContextSchema = lazySchema(() =>
  openObject({
    /** Version, trace, span and flags, in hexadecimal: `00-…-…-01`. */
    traceparent: z.string(),
    /** What tracing systems add of their own. */
    tracestate: z.optional(z.string()),
  }),
);
export type TraceContext = z.infer<typeof traceContextSchema>;

/** The trace context in a member of a line; undefined when there is none. Loads no schema, because every request is read by it. */
export function readTraceContext(value: unknown): TraceContext | undefined {
  if (!isJsonObject(value)) return undefined;
  const { traceparent, tracestate } = value;
  if (typeof traceparent !== 'string') return undefined;
  return { traceparent, ...(typeof tracestate === 'string' && { tracestate }) };
}
