import type * as z from 'zod/mini';
import type { JsonObject } from '../json-object.js';
import type { Timeouts } from '../options.js';

/** The app (an SDK) drives the agent (the CLI). */
export type Side = 'app' | 'agent';

export type OtherSide<S extends Side> = S extends 'app' ? 'agent' : 'app';

export interface ControlRequestSpec {
  /** The side that sends this request. */
  readonly asker: Side;
  readonly payload: z.ZodMiniType;
  readonly result: z.ZodMiniType;
  readonly deadline: keyof Timeouts;
  readonly meaning: string;
  /** Converts older spellings. */
  readonly fromOlderPayload?: (payload: JsonObject, requestId: string) => JsonObject;
  readonly fromOlderResult?: (result: JsonObject) => unknown;
}
