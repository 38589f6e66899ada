import * as z from 'zod/mini';
import { isJsonObject } from './json-object.js';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';

/** The parent span, as in W3C Trace Context. An invalid one is ignored. */
export const traceContextSchema = lazySchema(() =>
  openObject({
    /** Version, trace, span and flags, in hexadecimal: `00-...-...-01`. */
    traceparent: z.string(),
    /** Vendor-specific state. */
    tracestate: z.optional(z.string()),
  }),
);
export type TraceContext = z.infer<typeof traceContextSchema>;

/** The trace context of a member; undefined without one. Loads no schema, because every request passes it. */
export function readTraceContext(value: unknown): TraceContext | undefined {
  if (!isJsonObject(value)) return undefined;
  const { traceparent, tracestate } = value;
  if (typeof traceparent !== 'string') return undefined;
  return { traceparent, ...(typeof tracestate === 'string' && { tracestate }) };
}
