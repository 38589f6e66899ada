import { verifies } from '@qwen/testkit';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answers, appHandlers, createLoneApp, requestIds, settle } from '../../test/peers.js';
import { AgentError } from '../errors.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

type HookResult = Record<string, unknown>;

/** A channel whose other side is driven step by step, with a count of everything that must happen once. */
class Schedule {
  readonly settledTimes: number[] = [];
  readonly ranTimes = new Map<string, number>();
  readonly #aborts: AbortController[] = [];
  readonly #running: PromiseWithResolvers<HookResult>[] = [];
  readonly received: string[] = [];
  readonly lone = createLoneApp({
    timeouts: { controlRequest: 50 },
    maxInFlight: 3,
    handlers: {
      ...appHandlers,
      hook_callback: (_payload, { requestId }) => {
        this.ranTimes.set(requestId, (this.ranTimes.get(requestId) ?? 0) + 1);
        const running = Promise.withResolvers<HookResult>();
        this.#running.push(running);
        return running.promise;
      },
    },
  });

  ask(timeoutMs: number | undefined): void {
    const index = this.settledTimes.push(0) - 1;
    const controller = new AbortController();
    this.#aborts.push(controller);
    const count = (): void => {
      this.settledTimes[index] = (this.settledTimes[index] ?? 0) + 1;
    };
    this.lone.app.request('set_model', { model: 'm' }, { signal: controller.signal, timeoutMs }).then(count, count);
  }

  /** Any request may be answered at any time, in any way, any number of times. */
  answer(place: number, how: 'success' | 'malformed' | 'error' | 'confirm'): void {
    const ids = requestIds(this.lone.sent);
    const id = ids[place % (ids.length + 1)] ?? 'never asked';
    if (how === 'success') this.lone.receiveSuccess(id, { model: 'm' });
    else if (how === 'malformed') this.lone.receiveSuccess(id, 'not an object');
    else this.lone.receiveError(id, how === 'error' ? 'no' : { message: 'Request cancelled', code: 'cancelled' });
  }

  abort(place: number): void {
    this.#aborts[place % (this.#aborts.length + 1)]?.abort();
  }

  receiveRequest(place: number): void {
    const id = `agent-${place % 6}`;
    if (!this.lone.app.closed) this.received.push(id);
    this.lone.receiveRequest(id, { subtype: 'hook_callback', callback_id: 'h', input: {} });
  }

  finishHandler(place: number, fails: boolean): void {
    const running = this.#running[place % (this.#running.length + 1)];
    if (fails) running?.reject(new Error('boom'));
    else running?.resolve({});
  }

  withdraw(place: number): void {
    this.lone.receiveCancel(place % 7 === 6 ? undefined : `agent-${place % 7}`);
  }

  close(): void {
    this.lone.app.close(new AgentError('channel_closed', 'over'));
  }

  /** No request may stay pending once all handlers have finished. */
  finishAllHandlers(): void {
    for (const running of this.#running) running.resolve({});
  }
}

const place = fc.nat(30);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(undefined, 0, 20).map((ms) => (it: Schedule) => it.ask(ms)) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(place, fc.constantFrom('success' as const, 'malformed' as const, 'error' as const, 'confirm' as const))
      .map(
        ([at, how]) =>
          (it: Schedule) =>
            it.answer(at, how),
      ),
  },
  { weight: 1, arbitrary: place.map((at) => (it: Schedule) => it.abort(at)) },
  { weight: 3, arbitrary: place.map((at) => (it: Schedule) => it.receiveRequest(at)) },
  {
    weight: 2,
    arbitrary: fc.tuple(place, fc.boolean()).map(
      ([at, fails]) =>
        (it: Schedule) =>
          it.finishHandler(at, fails),
    ),
  },
  { weight: 1, arbitrary: place.map((at) => (it: Schedule) => it.withdraw(at)) },
  { weight: 2, arbitrary: fc.nat(60).map((ms) => () => void vi.advanceTimersByTime(ms)) },
);

const schedule = fc.array(fc.tuple(step, fc.boolean()), { maxLength: 40 });

async function run(steps: readonly [(it: Schedule) => void, boolean][]): Promise<Schedule> {
  const it = new Schedule();
  for (const [act, letOthersRun] of steps) {
    act(it);
    if (letOthersRun) await settle();
  }
  return it;
}

test('whatever happens, each request settles once, nothing is left over, no handler runs twice', async () => {
  verifies('N-08', 'T5', 'T12', 'F18', 'F19', 'F20');
  await fc.assert(
    fc.asyncProperty(schedule, schedule, async (before, after) => {
      const it = await run(before);
      it.close();
      for (const [act] of after) act(it);
      await settle();
      const { app } = it.lone;
      expect(it.settledTimes).toEqual(it.settledTimes.map(() => 1));
      expect([app.pendingCount, app.runningCount, vi.getTimerCount()]).toEqual([0, 0, 0]);
      expect([...it.ranTimes.values()].filter((times) => times > 1)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('whatever happens, each request of the other side is answered exactly once', async () => {
  verifies('J-02', 'F18');
  await fc.assert(
    fc.asyncProperty(schedule, async (steps) => {
      const it = await run(steps);
      await settle();
      it.finishAllHandlers();
      await settle();
      const answered = answers(it.lone.sent).map(({ request_id: id }) => id);
      expect(answered.toSorted()).toEqual(it.received.toSorted());
      it.close();
      await settle();
      expect(it.settledTimes).toEqual(it.settledTimes.map(() => 1));
    }),
    { numRuns: 300 },
  );
});
