import type * as z from 'zod/mini';
import type { JsonObject } from '../json-object.js';
import type { Timeouts } from '../options.js';

/** The app is whoever drives the agent (an SDK); the agent is the CLI. */
export type Side = 'app' | 'agent';

/** The other one. */
export type OtherSide<S extends Side> = S extends 'app' ? 'agent' : 'app';

/** One row of the table. */
export interface ControlRequestSpec {
  /** The side that sends this request; the other side must have a handler for it. */
  readonly asker: Side;
  readonly payload: z.ZodMiniType;
  readonly result: z.ZodMiniType;
  /** Which of the timeouts the asker waits. */
  readonly deadline: keyof Timeouts;
  /** One sentence for the docs and the JSON Schema. */
  readonly meaning: string;
  /** Turns spellings that are read but never written into the ones of the schema. */
  readonly fromOlderPayload?: (payload: JsonObject, requestId: string) => JsonObject;
  readonly fromOlderResult?: (result: JsonObject) => unknown;
}
