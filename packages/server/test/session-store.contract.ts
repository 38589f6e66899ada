import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import type { SessionRecord, ThreadRecord, TurnRecord } from '../src/store/session-record.js';
import type { NewTurn, SessionStore } from '../src/store/session-store.js';

export interface OpenedStore extends AsyncDisposable {
  readonly store: SessionStore;
}

export function aSession(id: string, more: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id,
    createdAt: 1,
    lastActivityAt: 1,
    workspaceRoot: '/w',
    directories: [],
    approvalMode: 'default',
    hasIncrements: true,
    metadata: { nested: { list: [1, 'ä'] } },
    details: {},
    isResumable: false,
    ...more,
  };
}

export function aThread(sessionId: string, id = `thrd_${sessionId}`): ThreadRecord {
  return { id, sessionId, parentToolUseId: null, turnId: null, createdAt: 1 };
}

export function aTurn(sessionId: string, id: string, more: Partial<TurnRecord> = {}): TurnRecord {
  const content: TurnRecord['content'] = [{ type: 'text', text: `say ${id}` }];
  return { id, sessionId, requestId: `req_1_${id}`, content, state: 'queued', createdAt: 2, ...more };
}

function adding(turn: TurnRecord, more: Partial<NewTurn> = {}): NewTurn {
  return { turn, historyText: `said ${turn.id}`, maxOpenTurns: 10, refusal: 'overloaded', ...more };
}

/** What every store of sessions does. */
export function sessionStoreContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`the session store over ${name}`, () => {
    test('stores the given values and changes only the given members', async () => {
      await using opened = await open();
      const { store } = opened;
      const session = aSession('a', { model: 'm' });
      await store.create(session, aThread('a'));
      expect(await store.get('a')).toEqual(session);
      const changed = await store.update('a', { workspaceRoot: '/v', directories: ['/x'], isResumable: true });
      expect(changed).toEqual({ ...session, workspaceRoot: '/v', directories: ['/x'], isResumable: true });
      expect(await store.get('a')).toEqual(changed);
      await store.update('a', { title: 'A', isArchived: true, effort: 'low', waitingTurnId: 't1' });
      expect(await store.get('a')).toMatchObject({ title: 'A', isArchived: true, effort: 'low', waitingTurnId: 't1' });
      await store.update('a', { title: undefined, waitingTurnId: undefined });
      const { title, waitingTurnId } = await store.get('a');
      expect([title, waitingTurnId]).toEqual([undefined, undefined]);
      const link = { id: 'l1', createdAt: 1, expiresAt: 2 };
      const late = { sandboxState: 'unavailable', isResumable: true, isShared: true, details: { a: [] } } as const;
      await store.update('a', { ...late, shareLinks: [link] });
      expect(await store.get('a')).toMatchObject({ ...late, shareLinks: [link] });
      await store.update('a', { shareLinks: [], isShared: false, details: {}, directories: [] });
      expect(await store.get('a')).toMatchObject({ shareLinks: [], isShared: false, details: {}, directories: [] });
      await expect(store.create(session, aThread('a'))).rejects.toMatchObject({ code: 'session_exists' });
    });

    test('adds up the usage of a name per day', async () => {
      await using opened = await open();
      const { store } = opened;
      expect(await store.usageOf('ann', '2026-01-01')).toEqual({ tokens: 0, usd: 0 });
      await store.addUsage('ann', '2026-01-01', { tokens: 10, usd: 0.25 });
      await store.addUsage('ann', '2026-01-01', { tokens: 5, usd: 0.5 });
      await store.addUsage('ann', '2026-01-02', { tokens: 1, usd: 0 });
      expect(await store.usageOf('ann', '2026-01-01')).toEqual({ tokens: 15, usd: 0.75 });
      await store.create(aSession('a', { owner: 'ann', isShared: true, questionPolicy: 'deny' }), aThread('a'));
      expect(await store.get('a')).toMatchObject({ owner: 'ann', isShared: true, questionPolicy: 'deny' });
      await store.addTurn(adding(aTurn('a', 't1', { sender: 'ann' })));
      expect(await store.getTurn('t1')).toMatchObject({ sender: 'ann' });
    });

    test('stores the prompt that a command made of a message with the message', async () => {
      await using opened = await open();
      const { store } = opened;
      await store.create(aSession('a'), aThread('a'));
      const turn = aTurn('a', 't1', { prompt: [{ type: 'text', text: 'Review it.' }] });
      await store.addTurn(adding(turn));
      expect(await store.getTurn('t1')).toEqual(turn);
      await store.addTurn(adding(aTurn('a', 't2')));
      expect((await store.getTurn('t2'))?.prompt).toBeUndefined();
    });

    test('lists the newest first, page by page', async () => {
      await using opened = await open();
      const { store } = opened;
      for (const id of ['a', 'b', 'c']) await store.create(aSession(id), aThread(id));
      const first = await store.list({ limit: 2 });
      expect(first.sessions.map(({ id }) => id)).toEqual(['c', 'b']);
      expect(first.hasMore).toBe(true);
      const second = await store.list({ limit: 2, afterId: 'b' });
      expect(second.sessions.map(({ id }) => id)).toEqual(['a']);
      expect(second.hasMore).toBe(false);
      expect(await store.count()).toBe(3);
    });

    test('a turn changes from queued to running to its end, each step once', async () => {
      verifies('F129');
      await using opened = await open();
      const { store } = opened;
      await store.create(aSession('a'), aThread('a'));
      const turn = aTurn('a', 't1', { clientKey: 'k' });
      expect(await store.addTurn(adding(turn))).toEqual(turn);
      expect(await store.addTurn(adding(aTurn('a', 't2', { clientKey: 'k' })))).toEqual(turn);
      expect(await store.getTurn('t1')).toEqual(turn);
      expect(await store.findTurn('req_1_t1')).toEqual(turn);
      expect(await store.findTurn('req_1_t2')).toBeUndefined();
      expect([await store.startTurn('t1'), await store.startTurn('t1')]).toEqual([true, false]);
      expect(await store.openTurns()).toEqual([{ ...turn, state: 'running' }]);
      const events = [{ type: 'turn.ended', data: '{}', eventId: 't1:end', threadId: 'thrd_a' }];
      const ending = { state: 'success', reply: 'done', endedAt: 9, events } as const;
      expect([await store.endTurn('t1', ending), await store.endTurn('t1', ending)]).toEqual([true, false]);
      expect(await store.openTurns('a')).toEqual([]);
      expect(await store.startTurn('t1')).toBe(false);
      expect(await store.endTurn('nobody', ending)).toBe(false);
      expect(await store.outbox()).toEqual([{ turn: { ...turn, state: 'success' }, events }]);
      await store.clearOutbox('t1');
      expect(await store.outbox()).toEqual([]);
      expect(await store.history('a', { limit: 50, offset: 0 })).toEqual({
        items: [
          { number: 1, type: 'user', content: 'said t1', at: 2 },
          { number: 2, type: 'assistant', content: 'done', at: 9 },
        ],
        total: 2,
      });
    });

    test('a queued turn that should end is left alone once a worker runs it', async () => {
      await using opened = await open();
      const { store } = opened;
      await store.create(aSession('a'), aThread('a'));
      await store.addTurn(adding(aTurn('a', 't1')));
      await store.addTurn(adding(aTurn('a', 't2')));
      await store.startTurn('t1');
      const ending = { state: 'cancelled', from: 'queued', endedAt: 9, events: [] } as const;
      expect([await store.endTurn('t1', ending), await store.endTurn('t2', ending)]).toEqual([false, true]);
      expect((await store.openTurns('a')).map(({ id, state }) => [id, state])).toEqual([['t1', 'running']]);
    });

    test('accepts a limited number of open turns', async () => {
      verifies('F130', 'GAP-72');
      await using opened = await open();
      const { store } = opened;
      await store.create(aSession('a'), aThread('a'));
      await store.addTurn(adding(aTurn('a', 't1')));
      const refused = store.addTurn(adding(aTurn('a', 't2'), { maxOpenTurns: 0, refusal: 'session_busy' }));
      await expect(refused).rejects.toMatchObject({ code: 'session_busy', data: { openTurns: 1 } });
      await store.addTurn(adding(aTurn('a', 't3'), { maxOpenTurns: 1 }));
      await expect(store.addTurn(adding(aTurn('a', 't4'), { maxOpenTurns: 1 }))).rejects.toMatchObject({
        code: 'overloaded',
      });
      expect((await store.openTurns('a')).map(({ id }) => id)).toEqual(['t1', 't3']);
      // What was refused is in no history.
      expect((await store.history('a', { limit: 50, offset: 0 })).total).toBe(2);
    });

    test('returns the history page by page, numbered from 1', async () => {
      verifies('Q-71', 'Q-72');
      await using opened = await open();
      const { store } = opened;
      await store.create(aSession('a'), aThread('a'));
      for (let turn = 1; turn <= 5; turn += 1) await store.addTurn(adding(aTurn('a', `t${turn}`)));
      const { items, total } = await store.history('a', { limit: 2, offset: 3 });
      expect(items.map(({ number }) => number)).toEqual([4, 5]);
      expect(total).toBe(5);
      expect(await store.history('a', { limit: 2, offset: 9 })).toEqual({ items: [], total: 5 });
    });

    test('stores threads in order, each once', async () => {
      await using opened = await open();
      const { store } = opened;
      await store.create(aSession('a'), aThread('a'));
      const below: ThreadRecord = { ...aThread('a', 'below'), parentToolUseId: 'call_1', turnId: 't1' };
      await store.addThread(below);
      await store.addThread({ ...below, createdAt: 99 });
      expect(await store.threads('a')).toEqual([aThread('a'), below]);
    });

    test('a deletion removes all data, and the ID may be used again', async () => {
      await using opened = await open();
      const { store } = opened;
      await store.create(aSession('a'), aThread('a'));
      await store.addTurn(adding(aTurn('a', 't1')));
      await store.endTurn('t1', { state: 'cancelled', endedAt: 9, events: [] });
      await store.delete('a');
      expect(await store.outbox()).toEqual([]);
      const gone = { code: 'session_not_found' };
      await expect(store.get('a')).rejects.toMatchObject(gone);
      await expect(store.delete('a')).rejects.toMatchObject(gone);
      await expect(store.update('a', {})).rejects.toMatchObject(gone);
      await expect(store.addTurn(adding(aTurn('a', 't2')))).rejects.toMatchObject(gone);
      await expect(store.history('a', { limit: 1, offset: 0 })).rejects.toMatchObject(gone);
      await expect(store.threads('a')).rejects.toMatchObject(gone);
      await expect(store.addThread(aThread('a'))).rejects.toMatchObject(gone);
      await expect(store.list({ limit: 1, afterId: 'a' })).rejects.toMatchObject(gone);
      expect(await store.getTurn('t1')).toBeUndefined();
      await store.create(aSession('a'), aThread('a'));
      expect(await store.history('a', { limit: 1, offset: 0 })).toEqual({ items: [], total: 0 });
    });

    test('IDs that are JavaScript property names work like others', async () => {
      verifies('S76');
      await using opened = await open();
      const { store } = opened;
      for (const id of ['__proto__', 'constructor', 'toString', "'; DROP TABLE sessions; --"]) {
        await expect(store.get(id)).rejects.toMatchObject({ code: 'session_not_found' });
        expect(await store.getTurn(id)).toBeUndefined();
      }
    });

    test('reports that it is closed', async () => {
      await using opened = await open();
      await opened.store.close();
      await opened.store.close();
      await expect(opened.store.count()).rejects.toMatchObject({ code: 'channel_closed' });
    });
  });
}
