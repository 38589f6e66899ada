import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';

// A query whose CLI runs at a server: the lines of its pipe, each way with a number. Down they are Server-Sent Events
// (`line`, `problem`, `exit`) whose ids are their numbers, up they are the bodies of POSTs that may be repeated.

/** Below it: `PUT` and `DELETE /:id`, `GET` and `POST /:id/lines`, `POST /:id/received`. */
export const REMOTE_PATH = '/api/v1/remote';

/** What the CLI of a remote query may be told by a flag. Everything else, a subcommand first of all, is refused. */
const REMOTE_FLAGS: ReadonlySet<string> = new Set([
  '--input-format',
  '--output-format',
  '--channel',
  '--dialect',
  '--strict-protocol',
  '--model',
  '--approval-mode',
  '--auth-type',
  '--max-session-turns',
  '--core-tools',
  '--exclude-tools',
  '--allowed-tools',
  '--include-directories',
  '--setting-sources',
  '--trust-project',
  '--include-partial-messages',
  '--include-hook-events',
  '--resume',
  '--continue',
  '--fork-session',
  '--resume-session-at',
  '--session-id',
]);

/** As long as a line of a remote query can be: a request holds a whole one. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** Whether a remote query may start its CLI with this argument: one such flag, its value bound with `=`. */
export function isRemoteArgument(argument: string): boolean {
  return REMOTE_FLAGS.has(argument.split('=', 1)[0] ?? '');
}

/** `PUT /:id`: starts the CLI. The client chooses the id, a UUID, so that it may say the same again. */
export const remoteStartSchema = lazySchema(() =>
  z.strictObject({
    arguments: z.array(z.string().check(z.refine(isRemoteArgument, 'expected a flag that a remote query may set'))),
    /** A folder of the server; a relative one counts from its workspace. Default: that workspace. */
    cwd: z.optional(z.string().check(z.minLength(1))),
    /** Longest line that either side reads, in bytes. */
    max_line_bytes: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_LINE_BYTES))),
  }),
);
export type RemoteStart = z.infer<typeof remoteStartSchema>;

/** The answer: how the server watches over the query. */
export const remoteStartedSchema = lazySchema(() =>
  z.looseObject({
    /** After so much silence of its client the CLI is ended, in milliseconds. */
    grace_ms: z.number(),
    /** A stream that is silent for longer than this, in milliseconds, is stuck: it has a comment when it has nothing else. */
    heartbeat_ms: z.number(),
    /** How far the CLI may be ahead of what the client has confirmed, in bytes; then it waits. */
    window_bytes: z.number(),
  }),
);
export type RemoteStarted = z.infer<typeof remoteStartedSchema>;

/** `POST /:id/lines`: lines for the CLI, without line ends. Those that it has already are passed over. */
export const remoteLinesSchema = lazySchema(() =>
  z.strictObject({
    /** The number of the first one; the first line of all is 1. */
    first: z.int().check(z.minimum(1)),
    lines: z.array(z.string().check(z.regex(/^[^\n]*$/, 'expected no line end'))),
    /** Nothing comes behind them: the input of the CLI ends. */
    end: z.optional(z.boolean()),
  }),
);
export type RemoteLines = z.infer<typeof remoteLinesSchema>;

/** The answer: the number of the last line that the CLI has; the client says the others again. */
export const remoteTakenSchema = lazySchema(() => z.looseObject({ taken: z.number() }));

/** `POST /:id/received`: the client has everything up to this number, and the server may forget it. */
export const remoteReceivedSchema = lazySchema(() => z.strictObject({ seq: z.int().check(z.minimum(0)) }));

/** The event `exit`, the last one: how the CLI went. */
export const remoteExitSchema = lazySchema(() =>
  z.looseObject({
    exit_code: z.nullable(z.number()),
    signal: z.nullable(z.string()),
    stderr_tail: z.string(),
    broken_by: z.optional(z.string()),
  }),
);
export type RemoteExit = z.infer<typeof remoteExitSchema>;
