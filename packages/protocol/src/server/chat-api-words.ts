import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';

/** One route of the chat API: all of them are POST with a JSON body. */
export interface ChatRoute {
  /** What it is for, in one sentence. */
  readonly meaning: string;
  /** What the client sends. Members that it does not name are ignored. */
  readonly request: z.ZodMiniType;
  /** What a request that went well is answered with; of a stream, one event of it. */
  readonly answer: z.ZodMiniType;
  /** Default `json`. */
  readonly form?: 'json' | 'event-stream';
  /** Statuses other than 200, beside those that every route may answer with, and when. */
  readonly failures: Readonly<Record<number, string>>;
}

/** Text that must hold something. */
export const words = (description: string) => z.string().check(z.minLength(1), z.describe(description));

export const sessionIdWord = z.string().check(z.minLength(1), z.maxLength(200), z.describe('A session.'));

/** A body that names nothing but its session. */
export const sessionOnlySchema = lazySchema(() => z.object({ sessionId: sessionIdWord }));

/** The client's own members of a session, given back as they came. */
export const metadataSchema = z.record(z.string(), z.unknown()).check(z.describe('Free; given back as it came.'));

export const isoTimeWord = z.string().check(z.describe('ISO 8601, UTC, with milliseconds.'));
export const epochMsWord = z.int().check(z.describe('Epoch milliseconds.'));

/** The path of a file or folder of the session. */
export const pathWord = words(
  'From the workspace of the session, or absolute; inside of the workspace or an added folder.',
);

/** Every failure has these two members; some routes add their own, such as `success`. */
export const chatErrorSchema = lazySchema(() =>
  z.object({
    error: z.string().check(z.describe('What kind of failure, for people.')),
    message: z.string().check(z.describe('What was wrong, and where.')),
    code: z.optional(z.string().check(z.describe('The same for programs.'))),
    errorId: z.optional(z.string().check(z.describe('Names a fault of the server in its log.'))),
  }),
);
export type ChatError = z.infer<typeof chatErrorSchema>;

export const NO_SESSION = 'There is no such session.';
