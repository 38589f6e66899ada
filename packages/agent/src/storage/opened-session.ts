import type { SessionRecord } from '@qwen/protocol';
import type { SessionLog } from '../ports.js';
import type { SessionNotice } from '../session/options.js';

/** How a session begins. */
export interface NewSession {
  /** A UUID, or a name that a host chose: letters, digits, `-` and `_`. */
  readonly sessionId: string;
  /** Absolute path of the workspace. */
  readonly cwd: string;
  /** ISO time. */
  readonly createdAt: string;
}

/** A session file that is open for writing by this process alone. Whoever opened it closes `log`. */
export interface OpenedSession {
  readonly sessionId: string;
  readonly log: SessionLog;
  /** Every record that could be read, the `session` header included, in order; empty when a sink took them. */
  readonly records: readonly SessionRecord[];
  /** What had to be repaired or left out. */
  readonly notices: readonly SessionNotice[];
}
