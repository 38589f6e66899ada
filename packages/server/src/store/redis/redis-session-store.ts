import { randomUUID } from 'node:crypto';
import type {
  HistoryItem,
  OutboxEntry,
  SessionChange,
  SessionRecord,
  ThreadRecord,
  TurnEnding,
  TurnRecord,
  UsageRecord,
} from '../session-record.js';
import type { NewTurn, SessionPage, SessionPageQuery, SessionStore } from '../session-store.js';
import { exists, refuseTurn } from '../store-errors.js';
import { toAdded, toHistory, toOutbox, toSession, toSessions, toThreads, toTurn, toTurns } from './replies.js';
import * as scripts from './scripts.js';
import type { SessionKeyspace } from './session-keyspace.js';

/**
 * Each change is one script. With a fence, the writes of a turn fail with `lease_lost` unless it is the current one.
 */
export class RedisSessionStore implements SessionStore {
  readonly #keyspace: SessionKeyspace;
  readonly #fence: string;

  constructor(keyspace: SessionKeyspace, { fence = '' }: { readonly fence?: string } = {}) {
    this.#keyspace = keyspace;
    this.#fence = fence;
  }

  async create(session: SessionRecord, primaryThread: ThreadRecord): Promise<void> {
    const args = [session.id, randomUUID(), primaryThread.id, JSON.stringify(primaryThread), ...toMembers(session)];
    const reply = await this.#keyspace.run(scripts.CREATE, args);
    if (reply === 'session_exists') throw exists(session.id);
  }

  async get(sessionId: string): Promise<SessionRecord> {
    return toSession(await this.#keyspace.run(scripts.GET, [sessionId], sessionId));
  }

  async update(sessionId: string, change: SessionChange): Promise<SessionRecord> {
    const args = [sessionId, this.#fence, ...toMembers(change)];
    return toSession(await this.#keyspace.run(scripts.UPDATE, args, sessionId));
  }

  async delete(sessionId: string): Promise<void> {
    await this.#keyspace.run(scripts.DELETE, [sessionId], sessionId);
  }

  async list({ limit, afterId = '' }: SessionPageQuery): Promise<SessionPage> {
    const sessions = toSessions(await this.#keyspace.run(scripts.LIST, [limit + 1, afterId], afterId));
    return { sessions: sessions.slice(0, limit), hasMore: sessions.length > limit };
  }

  count(): Promise<number> {
    return this.#keyspace.size('order');
  }

  probe(): Promise<void> {
    return this.#keyspace.probe();
  }

  async addTurn({ turn, historyText, maxOpenTurns, refusal }: NewTurn): Promise<TurnRecord> {
    const { id, sessionId, requestId, clientKey = '', createdAt } = turn;
    const line = JSON.stringify({ type: 'user', content: historyText, at: createdAt });
    const args = [sessionId, id, JSON.stringify(turn), requestId, clientKey, line, maxOpenTurns];
    const added = toAdded(await this.#keyspace.run(scripts.ADD_TURN, args, sessionId));
    if (typeof added === 'number') throw refuseTurn(refusal, added);
    return added;
  }

  async getTurn(turnId: string): Promise<TurnRecord | undefined> {
    return toTurn(await this.#keyspace.run(scripts.GET_TURN, [turnId]));
  }

  async findTurn(requestId: string): Promise<TurnRecord | undefined> {
    return toTurn(await this.#keyspace.run(scripts.FIND_TURN, [requestId]));
  }

  async startTurn(turnId: string): Promise<boolean> {
    return (await this.#keyspace.run(scripts.START_TURN, [turnId, this.#fence])) === 1;
  }

  async endTurn(turnId: string, { state, from, reply = '', endedAt, events }: TurnEnding): Promise<boolean> {
    const line = reply === '' ? '' : JSON.stringify({ type: 'assistant', content: reply, at: endedAt });
    const args = [turnId, this.#fence, randomUUID(), state, from ?? 'running', JSON.stringify(events), line];
    return (await this.#keyspace.run(scripts.END_TURN, args)) === 1;
  }

  async clearOutbox(turnId: string): Promise<void> {
    await this.#keyspace.run(scripts.CLEAR_OUTBOX, [turnId]);
  }

  async outbox(): Promise<readonly OutboxEntry[]> {
    return toOutbox(await this.#keyspace.run(scripts.OUTBOX, []));
  }

  async openTurns(sessionId = ''): Promise<readonly TurnRecord[]> {
    return toTurns(await this.#keyspace.run(scripts.OPEN_TURNS, [sessionId], sessionId));
  }

  async history(
    sessionId: string,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly HistoryItem[]; readonly total: number }> {
    return toHistory(await this.#keyspace.run(scripts.HISTORY, [sessionId, offset, limit], sessionId), offset);
  }

  async addThread(thread: ThreadRecord): Promise<void> {
    const args = [thread.sessionId, this.#fence, thread.id, JSON.stringify(thread)];
    await this.#keyspace.run(scripts.ADD_THREAD, args, thread.sessionId);
  }

  async threads(sessionId: string): Promise<readonly ThreadRecord[]> {
    return toThreads(await this.#keyspace.run(scripts.THREADS, [sessionId], sessionId));
  }

  addUsage(name: string, day: string, usage: UsageRecord): Promise<void> {
    return this.#keyspace.addUsage(`${day}:${name}`, usage);
  }

  usageOf(name: string, day: string): Promise<UsageRecord> {
    return this.#keyspace.usageOf(`${day}:${name}`);
  }

  async close(): Promise<void> {
    this.#keyspace.close();
  }
}

/** Empty for an undefined member. */
function toMembers(record: object): readonly string[] {
  return Object.entries(record).flatMap(([name, value]) => [name, JSON.stringify(value) ?? '']);
}
