import { isSessionId } from '@qwen/agent/node';
import { AgentError } from '@qwen/protocol';
import type { AgentControls, AgentDirectory } from '../agent-controls.js';
import type { Configuration } from '../config/load-config.js';
import type { SessionChoice } from '../config/session-choice.js';
import { openStore } from '../session-store.js';
import type { LiveSession } from './live-session.js';

const MAX_OPEN = 64;
/** Sleeping sessions kept in memory; others are found on disk again. */
const MAX_ASLEEP = 256;

export interface SessionPoolOptions {
  readonly configuration: Configuration;
  readonly first: SessionChoice;
  readonly create: (choice: SessionChoice) => LiveSession;
  readonly maxOpen?: number;
  readonly maxAsleep?: number;
  /**
   * Called when a session falls asleep, so that others can drop their state. `forgotten`: the object is never used
   * again.
   */
  readonly onRest?: (session: LiveSession, extent: 'asleep' | 'forgotten') => void;
}

/**
 * The sessions of one process. At most `maxOpen` are open: the least recently used idle one sleeps and is woken from
 * its file. At most `maxAsleep` sleeping ones are remembered.
 */
export class SessionPool implements AgentDirectory {
  readonly #options: SessionPoolOptions;
  /** Least recently used first. */
  readonly #sessions = new Map<string, LiveSession>();
  #latest: LiveSession;
  #isFirstTaken = false;
  #isInputEnded = false;

  constructor(options: SessionPoolOptions) {
    this.#options = options;
    this.#latest = this.#add(options.first);
  }

  /** The most recently used session, which is meant when a request names none. */
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

  /** The session of an input line; a missing name means the current one. Undefined when it does not run here. */
  running(sessionId: string | null | undefined): LiveSession | undefined {
    return isNamed(sessionId) ? this.#sessions.get(sessionId) : this.#latest;
  }

  /**
   * The session of a request: without a name a new one; a stored one is resumed; any other name starts a new one.
   * Throws `invalid_message` for an invalid file name.
   */
  take(sessionId: string | null | undefined): LiveSession {
    const session = isNamed(sessionId) ? this.#named(sessionId) : this.#unnamed();
    this.#sessions.delete(session.sessionId);
    this.#sessions.set(session.sessionId, session);
    this.#latest = session;
    this.#makeRoom(session);
    return session;
  }

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
    if (!isSessionId(sessionId)) {
      throw new AgentError(
        'invalid_message',
        `session_id: expected up to 128 letters, digits, - and _, starting with a letter or digit, not "${sessionId}"`,
      );
    }
    const isStored = openStore(this.#options.configuration).has(sessionId);
    return this.#add({ kind: isStored ? 'resume' : 'new', sessionId });
  }

  #add(choice: SessionChoice): LiveSession {
    const session = this.#options.create(choice);
    this.#sessions.set(choice.sessionId, session);
    if (this.#isInputEnded) session.endInput();
    return session;
  }

  #makeRoom(used: LiveSession): void {
    const awake = this.all.filter((session) => !session.isAsleep && session !== used);
    const tooMany = awake.length + 1 - (this.#options.maxOpen ?? MAX_OPEN);
    for (const session of awake.filter((one) => one.isIdle).slice(0, Math.max(0, tooMany))) {
      // The next use waits for this and reports the error.
      session.sleep().catch(() => undefined);
      this.#options.onRest?.(session, 'asleep');
    }
    this.#forget(used);
  }

  #forget(used: LiveSession): void {
    const stored = this.all.filter((session) => session.isStored && session !== used);
    const tooMany = stored.length - (this.#options.maxAsleep ?? MAX_ASLEEP);
    for (const session of stored.slice(0, Math.max(0, tooMany))) {
      // The first session is taken: requests without a name must not reuse it.
      if (session.sessionId === this.#options.first.sessionId) this.#isFirstTaken = true;
      this.#sessions.delete(session.sessionId);
      this.#options.onRest?.(session, 'forgotten');
    }
  }
}

function isNamed(sessionId: string | null | undefined): sessionId is string {
  return sessionId !== undefined && sessionId !== null && sessionId !== '' && sessionId !== '_new';
}
