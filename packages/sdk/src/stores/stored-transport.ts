import { AgentError, type DecodedLine } from '@qwen/protocol';
import type { QueryOptions } from '../options/options.js';
import { createSessionId } from '../session-id.js';
import { forks } from '../transport/spawn-args.js';
import {
  alreadyStarted,
  type CloseOptions,
  NO_EXIT,
  type Transport,
  type TransportExit,
} from '../transport/transport.js';
import type { SessionMirror } from './session-mirror.js';
import type { SessionKey, SessionStore } from './session-store.js';
import type { StoreFolder } from './store-folder.js';

type SessionChoice = Pick<QueryOptions, 'sessionId' | 'resume' | 'continue'>;

export interface StoredTransportParts {
  /** Validated, with a store. */
  readonly options: QueryOptions;
  readonly store: SessionStore;
  readonly create: (choice: SessionChoice, flags: readonly string[]) => Transport;
}

export interface MirrorError {
  readonly key: SessionKey;
  readonly error: AgentError;
}

/**
 * A CLI whose session comes from a store and is copied back to it. The session files are in a private folder, which is
 * deleted once the store has everything.
 */
export class StoredTransport implements Transport {
  onMirrorError: (error: MirrorError) => void = () => undefined;
  readonly #parts: StoredTransportParts;
  readonly #closed = Promise.withResolvers<TransportExit>();
  #opening: Promise<Transport> | undefined;
  #folder: StoreFolder | undefined;
  #mirror: SessionMirror | undefined;
  #inner: Transport | undefined;
  #sessionId: string | undefined;
  #isClosing = false;
  #hasExited = false;

  constructor(parts: StoredTransportParts) {
    this.#parts = parts;
  }

  get closed(): Promise<TransportExit> {
    return this.#closed.promise;
  }

  get pid(): number | undefined {
    return this.#inner?.pid;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  async start(onLine: (line: DecodedLine) => void): Promise<void> {
    if (this.#opening !== undefined) throw alreadyStarted();
    this.#opening = this.#open();
    const inner = await this.#opening;
    await inner.start(onLine);
  }

  async send(line: string): Promise<void> {
    const inner = await this.#opened();
    await inner.send(line);
  }

  endInput(): void {
    void this.#opened().then(
      (inner) => inner.endInput(),
      () => undefined,
    );
  }

  async close(options?: CloseOptions): Promise<void> {
    this.#isClosing = true;
    if (this.#inner !== undefined) await this.#inner.close(options);
    else this.#closed.resolve(NO_EXIT);
    await this.#closed.promise;
  }

  touch(): void {
    this.#mirror?.touch();
  }

  /** Resolves when the store has what the CLI wrote, or after an error. Never rejects. */
  async flush(mustExist: boolean): Promise<void> {
    await this.#mirror?.flush(mustExist);
  }

  #opened(): Promise<Transport> {
    return this.#opening ?? Promise.reject(new AgentError('channel_closed', 'The transport is not started.'));
  }

  async #open(): Promise<Transport> {
    try {
      const inner = await this.#prepare();
      if (this.#isClosing) throw new AgentError('channel_closed', 'The query was closed before the CLI started.');
      this.#inner = inner;
      void inner.closed.then((exit) => this.#finish(exit));
      return inner;
    } catch (thrown) {
      await this.#folder?.delete();
      this.#closed.resolve(NO_EXIT);
      throw thrown;
    }
  }

  async #prepare(): Promise<Transport> {
    const { options, store, create } = this.#parts;
    const { StoreFolder, SessionMirror, toProjectKey, callStore, DEFAULT_STORE_LIMIT_MS } = await import(
      '../on-demand.js'
    );
    const limitMs = options.loadTimeoutMs ?? DEFAULT_STORE_LIMIT_MS;
    const projectKey = toProjectKey(options.cwd ?? process.cwd());
    const folder = await StoreFolder.create();
    this.#folder = folder;
    const resume = options.continue === true ? await latestIn(projectKey) : options.resume;
    const source = resume === undefined ? undefined : { projectKey, sessionId: resume };
    const stored = source && (await folder.write(store, source, limitMs));
    const isNew = resume === undefined || forks(options);
    const sessionId = isNew ? (options.sessionId ?? createSessionId()) : resume;
    this.#sessionId = sessionId;
    const key = { projectKey, sessionId };
    this.#mirror = new SessionMirror({
      store,
      key,
      path: folder.pathOf(sessionId),
      stored: isNew || stored === undefined ? { bytes: 0, lines: 0 } : stored,
      flush: options.sessionStoreFlush ?? 'batched',
      limitMs,
      onError: (error) => this.onMirrorError({ key, error: this.#explain(error, folder.pathOf(sessionId)) }),
    });
    const newId = isNew ? { sessionId } : {};
    return create({ sessionId: undefined, continue: undefined, resume, ...newId }, [folder.flag]);

    async function latestIn(project: string): Promise<string | undefined> {
      const sessions = await callStore({
        name: 'listSessions',
        limitMs,
        run: () => store.listSessions?.(project) ?? Promise.resolve([]),
      });
      return sessions.reduce<(typeof sessions)[number] | undefined>(
        (latest, session) => (latest === undefined || session.mtime >= latest.mtime ? session : latest),
        undefined,
      )?.sessionId;
    }
  }

  #explain(error: AgentError, path: string): AgentError {
    const next = this.#hasExited
      ? `The complete session is in ${path}: importSessionToStore() adds it to the store.`
      : 'The entries are sent again at the end of the turn.';
    return new AgentError(error.code, `${error.message} ${next}`, { cause: error, data: { path } });
  }

  /** The folder stays if the store lacks something. */
  async #finish(exit: TransportExit): Promise<void> {
    this.#hasExited = true;
    const isComplete = (await this.#mirror?.close()) ?? true;
    if (isComplete) await this.#folder?.delete();
    this.#closed.resolve(exit);
  }
}
