import type { QwenEvent, QwenSession, SessionOptions } from '../src/index.js';
import { openSession } from '../src/index.js';
import { program } from './programs.js';

/** How the fake CLI starts. */
export interface FakeStart {
  /** Answers no heartbeats. */
  readonly deaf?: boolean;
  /** Sends no receipt. */
  readonly silent?: boolean;
  readonly fatal?: boolean;
  /** Printed before everything else. */
  readonly noise?: string;
  readonly version?: number;
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

/** A session with the fake CLI that speaks the openai dialect. */
export function openFake(start: FakeStart = {}, options: SessionOptions = {}): Promise<QwenSession> {
  return openSession({
    pathToQwenExecutable: program('speaks-openai-lines'),
    env: { FAKE: JSON.stringify(start) },
    ...options,
  });
}

/** Every event of a turn or a session. */
export async function eventsOf(events: AsyncIterable<QwenEvent>): Promise<QwenEvent[]> {
  const collected: QwenEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

/** The first event that fits. */
export async function eventThat(
  events: AsyncIterable<QwenEvent>,
  fits: (event: QwenEvent) => boolean,
): Promise<QwenEvent> {
  for await (const event of events) if (fits(event)) return event;
  throw new Error('the events ended without it');
}
