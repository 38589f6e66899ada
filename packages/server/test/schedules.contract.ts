import { verifies } from '@qwen/testkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventLog } from '../src/log/event-log.js';
import { type EventStorage, openLog } from './event-log.contract.js';
import { filled, numbered } from './log-readers.js';

type Step =
  | { readonly kind: 'append'; readonly count: number }
  | { readonly kind: 'attach'; readonly back: number }
  | { readonly kind: 'reconnect'; readonly reader: number }
  | { readonly kind: 'evict' }
  | { readonly kind: 'wait' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('attach' as const), back: fc.nat(30) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reconnect' as const), reader: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'evict' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'wait' as const }) },
);

/** A reader that follows a session over any number of connections, and keeps count. */
class Follower {
  readonly #log: EventLog;
  /** The seq up to which it has everything. */
  cursor: number;
  #generation = 0;
  #reading: Promise<void>;
  #stop: () => void = () => undefined;

  constructor(log: EventLog, cursor: number) {
    this.#log = log;
    this.cursor = cursor;
    this.#reading = this.#read();
  }

  /** Drops the connection and reconnects after its last seq. */
  async reconnect(): Promise<void> {
    await this.leave();
    this.#reading = this.#read();
  }

  async leave(): Promise<void> {
    this.#generation += 1;
    this.#stop();
    await this.#reading;
  }

  /** Reads to a seq and fails when it does not come. */
  async finish(seq: number): Promise<void> {
    await this.leave();
    await this.#read(seq);
  }

  async #read(lastSeq = Infinity): Promise<void> {
    const generation = this.#generation;
    using subscription = await this.#log.attach('a', { afterSeq: this.cursor });
    this.#stop = () => subscription.close();
    while (this.cursor < lastSeq) {
      const items = await subscription.take();
      // What a connection brought after it was dropped has not arrived.
      if (items.length === 0 || generation !== this.#generation) return;
      for (const item of items) {
        if (item.kind === 'event')
          expect(item.event).toMatchObject({ seq: this.cursor + 1, data: String(this.cursor + 1) });
        if (item.kind === 'gap') expect(item.fromSeq).toBe(this.cursor + 1);
        if (item.kind === 'event') this.cursor = item.event.seq;
        if (item.kind === 'gap') this.cursor = item.toSeq;
      }
    }
  }
}

/** In any order of steps, no reader misses an event without a notice or gets one twice. */
export function describeSchedules(name: string, openPlace: () => Promise<EventStorage>): void {
  test(`${name}: random schedules lose and repeat nothing`, { timeout: 120_000 }, async () => {
    verifies('GAP-96');
    await using place = await openPlace();
    await using log = await openLog(place, {
      retention: { maxEvents: 40 },
      limits: { maxTakeBytes: 250, maxLagBytes: 1000, lagGraceMs: 3_600_000 },
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        await filled(log, 'a', 1);
        let lastSeq = 1;
        const followers: Follower[] = [new Follower(log, 0)];
        const running: Promise<unknown>[] = [];
        for (const each of steps) {
          if (each.kind === 'append') {
            running.push(log.append('a', numbered(lastSeq + 1, lastSeq + each.count)));
            lastSeq += each.count;
          }
          const { lastSeq: durable } = await log.read('a', { afterSeq: lastSeq });
          if (each.kind === 'attach') followers.push(new Follower(log, Math.max(0, durable - each.back)));
          if (each.kind === 'reconnect') await followers[each.reader % followers.length]?.reconnect();
          if (each.kind === 'evict') await log.evict('a');
          if (each.kind === 'wait') await Promise.all(running);
        }
        await Promise.all(running);
        await Promise.all(followers.map((follower) => follower.finish(lastSeq)));
        expect(new Set(followers.map(({ cursor }) => cursor))).toEqual(new Set([lastSeq]));
        await log.delete('a');
      }),
      { numRuns: 40 },
    );
  });
}
