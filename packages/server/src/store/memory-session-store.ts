import { AgentError } from '@qwen/protocol';
import type {
  HistoryItem,
  OutboxEntry,
  SessionChange,
  SessionRecord,
  ThreadRecord,
  TurnEnding,
  TurnRecord,
  UsageRecord,
} from './session-record.js';
import type { NewTurn, SessionPage, SessionPageQuery, SessionStore } from './session-store.js';
import { exists, notFound, refuseTurn } from './store-errors.js';

interface StoredSession {
  record: SessionRecord;
  readonly turns: TurnRecord[];
  readonly history: HistoryItem[];
  readonly threads: ThreadRecord[];
}

export class MemorySessionStore implements SessionStore {
  readonly #sessions = new Map<string, StoredSession>();
  readonly #outbox = new Map<string, OutboxEntry>();
  readonly #usage = new Map<string, UsageRecord>();
  #isClosed = false;

  async create(session: SessionRecord, primaryThread: ThreadRecord): Promise<void> {
    this.#checkOpen();
    if (this.#sessions.has(session.id)) throw exists(session.id);
    this.#sessions.set(session.id, { record: session, turns: [], history: [], threads: [primaryThread] });
  }

  async get(sessionId: string): Promise<SessionRecord> {
    return this.#find(sessionId).record;
  }

  async update(sessionId: string, change: SessionChange): Promise<SessionRecord> {
    const stored = this.#find(sessionId);
    stored.record = { ...stored.record, ...change };
    return stored.record;
  }

  async delete(sessionId: string): Promise<void> {
    for (const { id } of this.#find(sessionId).turns) this.#outbox.delete(id);
    this.#sessions.delete(sessionId);
  }

  async list({ limit, afterId }: SessionPageQuery): Promise<SessionPage> {
    this.#checkOpen();
    const newestFirst = [...this.#sessions.values()].map(({ record }) => record).toReversed();
    const start = afterId === undefined ? 0 : newestFirst.findIndex(({ id }) => id === afterId) + 1;
    if (afterId !== undefined && start === 0) throw notFound(afterId);
    return { sessions: newestFirst.slice(start, start + limit), hasMore: newestFirst.length > start + limit };
  }

  async probe(): Promise<void> {}

  async count(): Promise<number> {
    this.#checkOpen();
    return this.#sessions.size;
  }

  async addTurn({ turn, historyText, maxOpenTurns, refusal }: NewTurn): Promise<TurnRecord> {
    const { turns, history } = this.#find(turn.sessionId);
    const known = turns.find(({ clientKey }) => clientKey !== undefined && clientKey === turn.clientKey);
    if (known !== undefined) return known;
    const openTurns = turns.filter(isOpen).length;
    if (openTurns > maxOpenTurns) throw refuseTurn(refusal, openTurns);
    turns.push(turn);
    history.push({ number: history.length + 1, type: 'user', content: historyText, at: turn.createdAt });
    return turn;
  }

  async addUsage(name: string, day: string, { tokens, usd }: UsageRecord): Promise<void> {
    const before = await this.usageOf(name, day);
    this.#usage.set(`${day} ${name}`, { tokens: before.tokens + tokens, usd: before.usd + usd });
  }

  async usageOf(name: string, day: string): Promise<UsageRecord> {
    this.#checkOpen();
    return this.#usage.get(`${day} ${name}`) ?? { tokens: 0, usd: 0 };
  }

  async getTurn(turnId: string): Promise<TurnRecord | undefined> {
    return this.#allTurns().find(({ id }) => id === turnId);
  }

  async findTurn(requestId: string): Promise<TurnRecord | undefined> {
    return this.#allTurns().find((turn) => turn.requestId === requestId);
  }

  async startTurn(turnId: string): Promise<boolean> {
    return this.#move(turnId, { from: ['queued'], to: 'running' }) !== undefined;
  }

  async endTurn(turnId: string, { state, from, reply = '', endedAt, events }: TurnEnding): Promise<boolean> {
    const turn = this.#move(turnId, { from: from === undefined ? ['queued', 'running'] : [from], to: state });
    if (turn === undefined) return false;
    this.#outbox.set(turnId, { turn, events });
    const { history } = this.#find(turn.sessionId);
    if (reply !== '') history.push({ number: history.length + 1, type: 'assistant', content: reply, at: endedAt });
    return true;
  }

  async clearOutbox(turnId: string): Promise<void> {
    this.#checkOpen();
    this.#outbox.delete(turnId);
  }

  async outbox(): Promise<readonly OutboxEntry[]> {
    this.#checkOpen();
    return [...this.#outbox.values()];
  }

  async openTurns(sessionId?: string): Promise<readonly TurnRecord[]> {
    return (sessionId === undefined ? this.#allTurns() : this.#find(sessionId).turns).filter(isOpen);
  }

  async history(
    sessionId: string,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly HistoryItem[]; readonly total: number }> {
    const { history } = this.#find(sessionId);
    return { items: history.slice(offset, offset + limit), total: history.length };
  }

  async addThread(thread: ThreadRecord): Promise<void> {
    const { threads } = this.#find(thread.sessionId);
    if (!threads.some(({ id }) => id === thread.id)) threads.push(thread);
  }

  async threads(sessionId: string): Promise<readonly ThreadRecord[]> {
    return [...this.#find(sessionId).threads];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #allTurns(): readonly TurnRecord[] {
    this.#checkOpen();
    return [...this.#sessions.values()].flatMap(({ turns }) => turns);
  }

  #move(
    turnId: string,
    { from, to }: { readonly from: readonly TurnRecord['state'][]; readonly to: TurnRecord['state'] },
  ): TurnRecord | undefined {
    this.#checkOpen();
    for (const { turns } of this.#sessions.values()) {
      const index = turns.findIndex(({ id, state }) => id === turnId && from.includes(state));
      const turn = turns[index];
      if (turn === undefined) continue;
      turns[index] = { ...turn, state: to };
      return turns[index];
    }
    return undefined;
  }

  #find(sessionId: string): StoredSession {
    this.#checkOpen();
    const stored = this.#sessions.get(sessionId);
    if (stored === undefined) throw notFound(sessionId);
    return stored;
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new AgentError('channel_closed', 'The session store is closed.');
  }
}

function isOpen({ state }: TurnRecord): boolean {
  return state === 'queued' || state === 'running';
}
