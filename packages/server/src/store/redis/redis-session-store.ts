import { randomUUID } from 'node:crypto';
import type {
  HistoryItem,
  SessionChange,
  SessionRecord,
  ThreadRecord,
  TurnEnding,
  TurnRecord,
  UntoldEnd,
} from '../session-record.js';
import type { NewTurn, SessionPage, SessionPageQuery, SessionStore } from '../session-store.js';
import { exists, refuseTurn } from '../store-errors.js';
import type { Facts } from './facts.js';
import { toAdded, toHistory, toSession, toSessions, toThreads, toTurn, toTurns, toUntoldEnds } from './replies.js';
import * as scripts from './scripts.js';

/**
 * Sessions in Redis, for as many processes as one likes. Each change is one script. Under a fence (the number of a lease)
 * whatever a turn writes is refused with `lease_lost` as soon as another process has a later lease of its session.
 */
export class RedisSessionStore implements SessionStore {
  readonly #facts: Facts;
  readonly #fence: number | '';

  /** Closes the facts when it is closed. */
  constructor(facts: Facts, { fence = '' }: { readonly fence?: number | '' } = {}) {
    this.#facts = facts;
    this.#fence = fence;
  }

  async create(session: SessionRecord, primaryThread: ThreadRecord): Promise<void> {
    const args = [session.id, randomUUID(), primaryThread.id, JSON.stringify(primaryThread), ...toMembers(session)];
    const reply = await this.#facts.run(scripts.CREATE, args);
    if (reply === 'session_exists') throw exists(session.id);
  }

  async get(sessionId: string): Promise<SessionRecord> {
    return toSession(await this.#facts.run(scripts.GET, [sessionId], sessionId));
  }

  async update(sessionId: string, change: SessionChange): Promise<SessionRecord> {
    const args = [sessionId, this.#fence, ...toMembers(change)];
    return toSession(await this.#facts.run(scripts.UPDATE, args, sessionId));
  }

  async delete(sessionId: string): Promise<void> {
    await this.#facts.run(scripts.DELETE, [sessionId], sessionId);
  }

  async list({ limit, afterId = '' }: SessionPageQuery): Promise<SessionPage> {
    const sessions = toSessions(await this.#facts.run(scripts.LIST, [limit + 1, afterId], afterId));
    return { sessions: sessions.slice(0, limit), hasMore: sessions.length > limit };
  }

  count(): Promise<number> {
    return this.#facts.size('order');
  }

  async addTurn({ turn, historyText, maxOpenTurns, refusal }: NewTurn): Promise<TurnRecord> {
    const { id, sessionId, requestId, clientKey = '', createdAt } = turn;
    const line = JSON.stringify({ type: 'user', content: historyText, at: createdAt });
    const args = [sessionId, id, JSON.stringify(turn), requestId, clientKey, line, maxOpenTurns];
    const added = toAdded(await this.#facts.run(scripts.ADD_TURN, args, sessionId));
    if (typeof added === 'number') throw refuseTurn(refusal, added);
    return added;
  }

  async getTurn(turnId: string): Promise<TurnRecord | undefined> {
    return toTurn(await this.#facts.run(scripts.GET_TURN, [turnId]));
  }

  async findTurn(requestId: string): Promise<TurnRecord | undefined> {
    return toTurn(await this.#facts.run(scripts.FIND_TURN, [requestId]));
  }

  async startTurn(turnId: string): Promise<boolean> {
    return (await this.#facts.run(scripts.START_TURN, [turnId, this.#fence])) === 1;
  }

  async endTurn(turnId: string, { state, from, reply = '', endedAt, events }: TurnEnding): Promise<boolean> {
    const line = reply === '' ? '' : JSON.stringify({ type: 'assistant', content: reply, at: endedAt });
    const args = [turnId, this.#fence, randomUUID(), state, from ?? 'running', JSON.stringify(events), line];
    return (await this.#facts.run(scripts.END_TURN, args)) === 1;
  }

  async endTold(turnId: string): Promise<void> {
    await this.#facts.run(scripts.END_TOLD, [turnId]);
  }

  async untoldEnds(): Promise<readonly UntoldEnd[]> {
    return toUntoldEnds(await this.#facts.run(scripts.UNTOLD, []));
  }

  async openTurns(sessionId = ''): Promise<readonly TurnRecord[]> {
    return toTurns(await this.#facts.run(scripts.OPEN_TURNS, [sessionId], sessionId));
  }

  async history(
    sessionId: string,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly HistoryItem[]; readonly total: number }> {
    return toHistory(await this.#facts.run(scripts.HISTORY, [sessionId, offset, limit], sessionId), offset);
  }

  async addThread(thread: ThreadRecord): Promise<void> {
    const args = [thread.sessionId, this.#fence, thread.id, JSON.stringify(thread)];
    await this.#facts.run(scripts.ADD_THREAD, args, thread.sessionId);
  }

  async threads(sessionId: string): Promise<readonly ThreadRecord[]> {
    return toThreads(await this.#facts.run(scripts.THREADS, [sessionId], sessionId));
  }

  async close(): Promise<void> {
    this.#facts.close();
  }
}

/** Member after member and its JSON; that of a member without a value is empty. */
function toMembers(record: object): readonly string[] {
  return Object.entries(record).flatMap(([name, value]) => [name, JSON.stringify(value) ?? '']);
}
