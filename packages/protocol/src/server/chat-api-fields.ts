import * as z from 'zod/mini';
import { type PromptPriority, promptPrioritySchema } from '../agent-messages.js';
import { lazySchema } from '../lazy-schema.js';
import { sandboxOptionSchema, sandboxStateSchema } from '../modes.js';
import type { TokenScope } from './token-scopes.js';

export interface ChatRoute {
  /** The scope that a token needs. */
  readonly scope: TokenScope;
  readonly meaning: string;
  /** Unknown members are ignored. */
  readonly request: z.ZodMiniType;
  /** The body; for a stream, one event. */
  readonly response: z.ZodMiniType;
  /** Default `json`. */
  readonly form?: 'json' | 'event-stream';
  /** Optional request headers, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses besides 200 and those of every route, with their meaning. */
  readonly failures: Readonly<Record<number, string>>;
}

export const nonEmptyText = (description: string) => z.string().check(z.minLength(1), z.describe(description));

export const sessionIdField = z.string().check(z.minLength(1), z.maxLength(200), z.describe('ID of a session.'));

export const sessionOnlySchema = lazySchema(() => z.object({ sessionId: sessionIdField }));

/** Arbitrary members of the client, returned unchanged. */
export const metadataSchema = z
  .record(z.string(), z.unknown())
  .check(z.describe("The client's own data, returned unchanged."));

/** What happens to a call that needs a permission question. */
export const questionPolicySchema = z
  .enum(['wait', 'deny', 'allow-listed'])
  .check(
    z.describe(
      '`wait` asks and waits for an answer; `deny` denies at once; `allow-listed` runs the calls of the allowed tools and denies others at once. Default `wait`.',
    ),
  );
export type QuestionPolicy = z.infer<typeof questionPolicySchema>;

export const sandboxField = sandboxOptionSchema.check(
  z.describe(
    'The sandbox of commands. Default: the one of the server and the settings, which it cannot loosen unless the server allows that. Needs the scope `approve`, because commands in a sandbox run without a question.',
  ),
);

export const sandboxStateField = sandboxStateSchema.check(
  z.describe(
    'The sandbox of commands as of the last turn; `unavailable` if it does not work. Missing before the first turn of a session that selects none.',
  ),
);

export const allowedToolsField = z
  .array(nonEmptyText('A permission rule, such as `Bash(npm test)`.'))
  .check(z.maxLength(100), z.describe('For the policy `allow-listed`.'));

/** `byDefault`: applies if the member is missing. */
export const promptPriorityField = (byDefault: PromptPriority) =>
  promptPrioritySchema.check(
    z.describe(
      `While a turn runs: with \`now\` and \`next\` it takes the message before its next model call, \`now\` first; with \`later\`, and if the turn ends first, the message has its own turn. Default \`${byDefault}\`.`,
    ),
  );

export const isoTimeField = z.string().check(z.describe('ISO 8601 in UTC, with milliseconds.'));
export const epochMsField = z.int().check(z.describe('Milliseconds since 1970.'));

/** The path of a file or folder of the session. */
export const pathField = nonEmptyText(
  "Relative to the session's workspace, or absolute; must be inside the workspace or an additional folder.",
);

/** Every failure has these members; some routes add more, such as `success`. */
export const chatErrorSchema = lazySchema(() =>
  z.object({
    error: z.string().check(z.describe('The kind of failure, for users.')),
    message: z.string().check(z.describe('The problem and its location.')),
    code: z.optional(z.string().check(z.describe('The kind of failure, for programs.'))),
    errorId: z.optional(z.string().check(z.describe("Identifies an internal error in the server's log."))),
  }),
);
export type ChatError = z.infer<typeof chatErrorSchema>;

export const IDEMPOTENCY_KEY =
  '1 to 200 visible ASCII characters. A repeated key returns what the first request created.';
export const TOO_MANY_READERS = 'Too many clients read this session.';
export const NO_SESSION = 'The session does not exist.';
