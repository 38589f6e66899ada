import type { QueryOptions } from '../options.js';
import type { HostTool } from './host-tool.js';

/** Signs of life of the process (H-06, H-07, O-55). */
export interface HeartbeatOptions {
  /** Milliseconds from one request to the next. Default 15,000. */
  readonly intervalMs?: number | undefined;
  /**
   * Milliseconds without any line of the process, after a request, until it counts as hung. Default 10,000. Whatever it
   * says is a sign of life.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * What follows when the process is hung or gone. False, the default: the session ends, everything that waits rejects
   * with `timeout` or `process_exited`. True: what waits rejects with the same, and another process takes the place, in
   * which the sessions go on from what is stored of them. One that dies before its first sign of life ends the session.
   */
  readonly restart?: boolean | undefined;
}

/** What `query()` takes and one process with many sessions does not. */
type QueryOnly =
  | 'sessionId'
  | 'resume'
  | 'continue'
  | 'forkSession'
  | 'resumeSessionAt'
  | 'includePartialMessages'
  | 'includeHookEvents'
  | 'outputSchema';

/** What `openSession()` may be told; what `query()` takes too means the same here. An unknown member is refused by name. */
export interface SessionOptions extends Omit<QueryOptions, QueryOnly> {
  /** Whole messages, or pieces as they come. Default `message`. */
  readonly format?: 'message' | 'chunk' | undefined;
  /**
   * The session of everything that names no other one; the id of a stored session goes on with it. Default: a new one
   * under a random id.
   */
  readonly sessionId?: string | undefined;
  /** Tools that this app runs. */
  readonly tools?: readonly HostTool[] | undefined;
  /** False asks for none. With a CLI that answers no heartbeats none are sent. */
  readonly heartbeat?: HeartbeatOptions | false | undefined;
  /** Hold every line against its schema, at both ends: one that does not fit ends the session. Default false. */
  readonly strictProtocol?: boolean | undefined;
}
