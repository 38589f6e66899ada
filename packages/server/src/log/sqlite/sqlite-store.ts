import { AgentError } from '@qwen/protocol';
import type {
  AppendOutcome,
  EventPage,
  EventRange,
  EventStore,
  Retention,
  SessionAppend,
  SessionIdPage,
  StoreListener,
} from '../event-store.js';
import { LocalFeed } from '../local-feed.js';
import type { LoggedEvent } from '../logged-event.js';
import { makePrivate } from './private-file.js';
import { ThreadClient } from './thread-client.js';
import type { ThreadOutcome } from './thread-messages.js';

/** Events in one SQLite file, for one process. They survive a power loss. */
export class SqliteStore implements EventStore {
  readonly #thread: ThreadClient;
  readonly #feed = new LocalFeed();

  private constructor(thread: ThreadClient) {
    this.#thread = thread;
  }

  /** Errors: `storage_busy`; `storage_unwritable`; `storage_damaged`, also for a newer version. */
  static async open(path: string): Promise<SqliteStore> {
    await makePrivate(path);
    return new SqliteStore(await ThreadClient.open(path));
  }

  create(sessionId: string): Promise<void> {
    return this.#thread.call('create', { sessionId });
  }

  async append(batch: readonly SessionAppend[]): Promise<readonly AppendOutcome[]> {
    const outcomes = await this.#thread.call('append', { batch });
    return outcomes.map((outcome, index) => this.#announce(outcome, batch[index]));
  }

  read(range: EventRange): Promise<EventPage> {
    return this.#thread.call('read', range);
  }

  seqOf(sessionId: string, eventId: string): Promise<number | undefined> {
    return this.#thread.call('seqOf', { sessionId, eventId });
  }

  evict(sessionId: string, retention: Retention): Promise<number> {
    return this.#thread.call('evict', { sessionId, retention });
  }

  async finish(sessionId: string): Promise<void> {
    await this.#thread.call('finish', { sessionId });
    this.#feed.emit(sessionId, (listener) => listener.ended('finished'));
  }

  async delete(sessionId: string): Promise<void> {
    await this.#thread.call('delete', { sessionId });
    this.#feed.emit(sessionId, (listener) => listener.ended('deleted'));
  }

  list(page: { readonly afterId: string; readonly limit: number }): Promise<SessionIdPage> {
    return this.#thread.call('list', page);
  }

  watch(sessionId: string, listener: StoreListener): () => void {
    return this.#feed.watch(sessionId, listener);
  }

  backup(path: string): Promise<void> {
    return this.#thread.call('backup', { path });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #announce(outcome: ThreadOutcome, entry: SessionAppend | undefined): AppendOutcome {
    if ('error' in outcome) return new AgentError(outcome.error.code, outcome.error.message);
    if (entry !== undefined && this.#feed.hasListeners(entry.sessionId)) {
      const events = entry.events.flatMap((event, index): LoggedEvent[] => {
        const receipt = outcome.receipts[index];
        return receipt === undefined || receipt.isRepeat ? [] : [{ ...event, seq: receipt.seq, atMs: outcome.atMs }];
      });
      this.#feed.emit(entry.sessionId, (listener) => listener.stored(events));
    }
    return outcome.receipts;
  }
}
