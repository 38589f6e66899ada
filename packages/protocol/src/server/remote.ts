import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';

// A query whose CLI runs at a server: the lines of its pipe, each way with a number. Down they are Server-Sent Events
// (`line`, `problem`, `exit`) whose ids are their numbers, up they are the bodies of POSTs that may be repeated.

/** Prefix of `PUT` and `DELETE /:id`, `GET` and `POST /:id/lines`, `POST /:id/received`. */
export const REMOTE_PATH = '/api/v1/remote';

/** Flags a remote query may pass to its CLI. Everything else, including subcommands, is rejected. */
const REMOTE_FLAGS: ReadonlySet<string> = new Set([
  '--input-format',
  '--output-format',
  '--channel',
  '--dialect',
  '--strict-protocol',
  '--model',
  '--approval-mode',
  '--auth-type',
  '--sandbox',
  '--max-session-turns',
  '--max-tool-calls',
  '--core-tools',
  '--exclude-tools',
  '--allowed-tools',
  '--include-directories',
  '--setting-sources',
  '--trust-project',
  '--safe-mode',
  '--allowed-mcp-server-names',
  '--disabled-slash-commands',
  '--skills',
  '--include-partial-messages',
  '--include-hook-events',
  '--resume',
  '--continue',
  '--fork-session',
  '--resume-session-at',
  '--session-id',
]);

/** A request holds at least one whole line. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** Whether a remote query may pass this argument: an allowed flag with its value after `=`. */
export function isRemoteArgument(argument: string): boolean {
  // The server may have been set up with a sandbox.
  return REMOTE_FLAGS.has(argument.split('=', 1)[0] ?? '') && argument !== '--sandbox=off';
}

/** `PUT /:id`: starts the CLI. The client chooses a UUID, so the request is idempotent. */
export const remoteStartSchema = lazySchema(() =>
  z.strictObject({
    arguments: z.array(z.string().check(z.refine(isRemoteArgument, 'expected a flag that a remote query may set'))),
    /** A folder on the server; relative to its workspace. Default: that workspace. */
    cwd: z.optional(z.string().check(z.minLength(1))),
    /** In bytes, for either direction. */
    max_line_bytes: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_LINE_BYTES))),
  }),
);
export type RemoteStart = z.infer<typeof remoteStartSchema>;

/** How the server monitors the query. */
export const remoteStartedSchema = lazySchema(() =>
  z.looseObject({
    /** Milliseconds without contact after which the CLI is ended. */
    grace_ms: z.number(),
    /** Milliseconds of silence after which the stream is considered stuck; idle streams send comments. */
    heartbeat_ms: z.number(),
    /** Bytes the CLI may be ahead of the client's confirmation; then it waits. */
    window_bytes: z.number(),
  }),
);
export type RemoteStarted = z.infer<typeof remoteStartedSchema>;

/** `POST /:id/lines`: lines for the CLI, without line ends. Lines already received are skipped. */
export const remoteLinesSchema = lazySchema(() =>
  z.strictObject({
    /** Number of the first line; starts at 1. */
    first: z.int().check(z.minimum(1)),
    lines: z.array(z.string().check(z.regex(/^[^\n]*$/, 'expected no line end'))),
    /** Ends the CLI's input after these lines. */
    end: z.optional(z.boolean()),
  }),
);
export type RemoteLines = z.infer<typeof remoteLinesSchema>;

/** Number of the last line received; the client resends later ones. */
export const remoteTakenSchema = lazySchema(() => z.looseObject({ taken: z.number() }));

/** `POST /:id/received`: confirms everything up to this number, which the server may drop. */
export const remoteReceivedSchema = lazySchema(() => z.strictObject({ seq: z.int().check(z.minimum(0)) }));

/** The last event: the exit of the CLI. */
export const remoteExitSchema = lazySchema(() =>
  z.looseObject({
    exit_code: z.nullable(z.number()),
    signal: z.nullable(z.string()),
    stderr_tail: z.string(),
    broken_by: z.optional(z.string()),
  }),
);
export type RemoteExit = z.infer<typeof remoteExitSchema>;
