import { existsSync } from 'node:fs';
import { AgentError } from '@qwen/protocol';
import type { AgentControls, AgentDirectory } from '../agent-controls.js';
import type { Configuration } from '../config/load-config.js';
import type { SessionChoice } from '../config/session-choice.js';
import { sessionFile } from '../session-store.js';
import type { LiveSession } from './live-session.js';

/** So many sessions are held open at most. */
const MAX_OPEN = 64;
/** So many that sleep are kept in mind; the others are found on the disk again, as after a new start. */
const MAX_ASLEEP = 256;

/** What a host may choose: names that are names of files on every system. */
const SAFE_ID = /^[\da-z][\da-z_-]{0,127}$/i;
/** Names that Windows keeps for itself. */
const RESERVED_ID = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

export interface SessionPoolOptions {
  readonly configuration: Configuration;
  /** The session that the start chose: the first that is asked for without a name. */
  readonly first: SessionChoice;
  readonly create: (choice: SessionChoice) => LiveSession;
  /** Default 64. */
  readonly maxOpen?: number;
  /** Default 256. */
  readonly maxAsleep?: number;
  /** Called for a session that sleeps now: what others made for it can go. `forgotten`: this very object is never asked again. */
  readonly onRest?: (session: LiveSession, extent: 'asleep' | 'forgotten') => void;
}

/**
 * The sessions of one process, side by side (GAP-09, A-18). More than `maxOpen` are never open: the one that was idle for
 * longest sleeps then, and is woken from its file. More than `maxAsleep` that sleep are not remembered.
 */
export class SessionPool implements AgentDirectory {
  readonly #options: SessionPoolOptions;
  /** The one used last stands last. */
  readonly #sessions = new Map<string, LiveSession>();
  #latest: LiveSession;
  #isFirstTaken = false;
  #isInputEnded = false;

  constructor(options: SessionPoolOptions) {
    this.#options = options;
    this.#latest = this.#add(options.first);
  }

  /** The session that is meant where none is named: the one that was used last. */
  get latest(): LiveSession {
    return this.#latest;
  }

  get current(): AgentControls {
    return this.#latest.host;
  }

  get all(): readonly LiveSession[] {
    return [...this.#sessions.values()];
  }

  find(sessionId: string): AgentControls | undefined {
    return this.#sessions.get(sessionId)?.host;
  }

  /** The session of a typed line: a missing name means the current one (CF-20). Undefined for one that does not run here. */
  running(sessionId: string | null | undefined): LiveSession | undefined {
    return isNamed(sessionId) ? this.#sessions.get(sessionId) : this.#latest;
  }

  /**
   * The session of a request: without a name a new one (E-05), one that is stored is resumed (E-04), any other name is that
   * of a new one (CF-64). Throws `invalid_message` for what cannot be the name of a file.
   */
  take(sessionId: string | null | undefined): LiveSession {
    const session = isNamed(sessionId) ? this.#named(sessionId) : this.#unnamed();
    this.#sessions.delete(session.sessionId);
    this.#sessions.set(session.sessionId, session);
    this.#latest = session;
    this.#makeRoom(session);
    return session;
  }

  /** Nothing more comes. Resolves once everything is answered. */
  async endInput(): Promise<void> {
    this.#isInputEnded = true;
    for (const session of this.#sessions.values()) session.endInput();
    await Promise.all(this.all.map((session) => session.done));
  }

  async close(reason: 'prompt_input_exit' | 'other'): Promise<void> {
    await Promise.all(this.all.map((session) => session.close(reason)));
  }

  #unnamed(): LiveSession {
    const first = this.#sessions.get(this.#options.first.sessionId);
    if (!this.#isFirstTaken && first !== undefined) {
      this.#isFirstTaken = true;
      return first;
    }
    return this.#add({ kind: 'new', sessionId: crypto.randomUUID() });
  }

  #named(sessionId: string): LiveSession {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) {
      if (sessionId === this.#options.first.sessionId) this.#isFirstTaken = true;
      return known;
    }
    if (!SAFE_ID.test(sessionId) || RESERVED_ID.test(sessionId)) {
      throw new AgentError(
        'invalid_message',
        `session_id: expected up to 128 letters, digits, - and _, beginning with a letter or digit, not "${sessionId}"`,
      );
    }
    const isStored = existsSync(sessionFile(this.#options.configuration, sessionId));
    return this.#add({ kind: isStored ? 'resume' : 'new', sessionId });
  }

  #add(choice: SessionChoice): LiveSession {
    const session = this.#options.create(choice);
    this.#sessions.set(choice.sessionId, session);
    if (this.#isInputEnded) session.endInput();
    return session;
  }

  /** Idle sessions sleep, the one that was used longest ago first. */
  #makeRoom(used: LiveSession): void {
    const awake = this.all.filter((session) => !session.isAsleep && session !== used);
    const tooMany = awake.length + 1 - (this.#options.maxOpen ?? MAX_OPEN);
    for (const session of awake.filter((one) => one.isIdle).slice(0, Math.max(0, tooMany))) {
      // Whoever asks it next waits for this and hears what went wrong.
      session.sleep().catch(() => undefined);
      this.#options.onRest?.(session, 'asleep');
    }
    this.#forget(used);
  }

  #forget(used: LiveSession): void {
    const stored = this.all.filter((session) => session.isStored && session !== used);
    const tooMany = stored.length - (this.#options.maxAsleep ?? MAX_ASLEEP);
    for (const session of stored.slice(0, Math.max(0, tooMany))) {
      // Its name was taken: a request without one must not find it again.
      if (session.sessionId === this.#options.first.sessionId) this.#isFirstTaken = true;
      this.#sessions.delete(session.sessionId);
      this.#options.onRest?.(session, 'forgotten');
    }
  }
}

function isNamed(sessionId: string | null | undefined): sessionId is string {
  return sessionId !== undefined && sessionId !== null && sessionId !== '' && sessionId !== '_new';
}
