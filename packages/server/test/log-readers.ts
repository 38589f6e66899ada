import { AgentError } from '@qwen/protocol';
import type { EventLog } from '../src/log/event-log.js';
import type { LogItem } from '../src/log/log-item.js';
import type { LogSubscription } from '../src/log/log-subscription.js';
import type { NewEvent } from '../src/log/logged-event.js';

/** Events `from` to `to`, both included, whose data is their number. */
export function numbered(from: number, to: number): NewEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({ type: 'count', data: String(from + index) }));
}

/** Takes up to the first item that fits. Returns everything taken; rejects if the subscription ends first. */
export async function takeUntil(subscription: LogSubscription, isLast: (item: LogItem) => boolean): Promise<LogItem[]> {
  const items: LogItem[] = [];
  while (!items.some(isLast)) {
    const taken = await subscription.take();
    if (taken.length === 0) throw new Error(`over after ${JSON.stringify(items.at(-1))}`);
    items.push(...taken);
  }
  return items;
}

export const isEvent = (seq: number) => (item: LogItem) => item.kind === 'event' && item.event.seq === seq;
export const isKind = (kind: LogItem['kind']) => (item: LogItem) => item.kind === kind;

/** The seqs of the events among items. */
export function seqsOf(items: readonly LogItem[]): number[] {
  return items.flatMap((item) => (item.kind === 'event' ? [item.event.seq] : []));
}

/** The kinds of the items that are no events. */
export function noticesOf(items: readonly LogItem[]): string[] {
  return items.flatMap((item) => (item.kind === 'event' ? [] : [item.kind]));
}

export const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);

/** How each of these ended: the code of its error, or `ok`. */
export async function codesOf(promises: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((each) => (each.status === 'fulfilled' ? 'ok' : AgentError.from(each.reason).code));
}

/** A session with this number of events. */
export async function filled(log: EventLog, sessionId: string, count: number): Promise<void> {
  await log.create(sessionId);
  await log.append(sessionId, numbered(1, count));
}
