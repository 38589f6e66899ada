import type * as z from 'zod/mini';
import { CONFIRMATION_REQUESTS } from './requests/confirmations.js';
import { MCP_REQUESTS } from './requests/mcp.js';
import { QUESTION_REQUESTS } from './requests/questions.js';
import type { ControlRequestSpec, Side } from './requests/request-spec.js';
import { SESSION_REQUESTS } from './requests/session.js';
import { STORED_SESSION_REQUESTS } from './requests/stored-sessions.js';

export type { ControlRequestSpec, OtherSide, Side } from './requests/request-spec.js';

/** The table of control requests. Types at both ends, handler maps, JSON Schema and docs derive from it. */
export const CONTROL_REQUESTS = {
  ...SESSION_REQUESTS,
  ...STORED_SESSION_REQUESTS,
  ...MCP_REQUESTS,
  ...QUESTION_REQUESTS,
  ...CONFIRMATION_REQUESTS,
} as const satisfies Record<string, ControlRequestSpec>;

type Table = typeof CONTROL_REQUESTS;

export type ControlSubtype = keyof Table;

export type SubtypeAskedBy<Asker extends Side> = {
  [S in ControlSubtype]: Table[S]['asker'] extends Asker ? S : never;
}[ControlSubtype];

export type ControlPayload<S extends ControlSubtype> = z.infer<Table[S]['payload']>;
export type ControlResult<S extends ControlSubtype> = z.infer<Table[S]['result']>;

export function findControlRequest(word: string): ControlRequestSpec | undefined {
  return isControlSubtype(word) ? CONTROL_REQUESTS[word] : undefined;
}

export function isControlSubtype(word: string): word is ControlSubtype {
  return Object.hasOwn(CONTROL_REQUESTS, word);
}
