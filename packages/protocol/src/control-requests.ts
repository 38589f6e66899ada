import type * as z from 'zod/mini';
import { CONFIRMATION_REQUESTS } from './requests/confirmations.js';
import { MCP_REQUESTS } from './requests/mcp.js';
import { QUESTION_REQUESTS } from './requests/questions.js';
import type { ControlRequestSpec, Side } from './requests/request-spec.js';
import { SESSION_REQUESTS } from './requests/session.js';
import { STORED_SESSION_REQUESTS } from './requests/stored-sessions.js';

export type { ControlRequestSpec, OtherSide, Side } from './requests/request-spec.js';

/**
 * THE table of control requests. From one entry come the types at both ends, the exhaustive handler
 * maps, the JSON Schema and the docs. Adding a request: add a row, then the compiler names the two ends to change.
 */
export const CONTROL_REQUESTS = {
  ...SESSION_REQUESTS,
  ...STORED_SESSION_REQUESTS,
  ...MCP_REQUESTS,
  ...QUESTION_REQUESTS,
  ...CONFIRMATION_REQUESTS,
} as const satisfies Record<string, ControlRequestSpec>;

type Table = typeof CONTROL_REQUESTS;

/** The word on the wire that names a request. */
export type ControlSubtype = keyof Table;

/** The requests that `Asker` sends, and so the other side serves. */
export type SubtypeAskedBy<Asker extends Side> = {
  [S in ControlSubtype]: Table[S]['asker'] extends Asker ? S : never;
}[ControlSubtype];

export type ControlPayload<S extends ControlSubtype> = z.infer<Table[S]['payload']>;
export type ControlResult<S extends ControlSubtype> = z.infer<Table[S]['result']>;

/** The row of a word from the wire, if there is one. */
export function findControlRequest(word: string): ControlRequestSpec | undefined {
  return isControlSubtype(word) ? CONTROL_REQUESTS[word] : undefined;
}

/** True for a word of the table. */
export function isControlSubtype(word: string): word is ControlSubtype {
  return Object.hasOwn(CONTROL_REQUESTS, word);
}
