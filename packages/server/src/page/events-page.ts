import { isIncrementType } from '@qwen/protocol/server';
import { toPublicText } from '../core/public-text.js';
import type { EventLog } from '../log/event-log.js';
import type { LoggedEvent } from '../log/logged-event.js';

export interface EventsPageQuery {
  readonly sessionId: string;
  readonly afterSeq?: number | undefined;
  readonly limit?: number | undefined;
}

/** A page of a session's history as JSON text. Omits the increments of complete messages, which are most of the data. */
export async function readEventsPage(log: Pick<EventLog, 'read'>, query: EventsPageQuery): Promise<string> {
  const { sessionId, afterSeq = 0, limit } = query;
  const { events, firstSeq, lastSeq } = await log.read(sessionId, { afterSeq, limit });
  const throughSeq = Math.max(afterSeq, events.at(-1)?.seq ?? 0);
  const texts = withoutRedundantIncrements(events).map((event) => toPublicText(sessionId, event));
  return `{"events":[${texts.join(',')}],"throughSeq":${throughSeq},"firstSeq":${firstSeq},"lastSeq":${lastSeq}}`;
}

function withoutRedundantIncrements(events: readonly LoggedEvent[]): LoggedEvent[] {
  const complete = new Set(events.filter(({ type }) => type === 'agent.message').map(messageIdOf));
  return events.filter((event) => !isIncrementType(event.type) || !complete.has(messageIdOf(event)));
}

function messageIdOf({ data }: LoggedEvent): unknown {
  const body: unknown = JSON.parse(data);
  return typeof body === 'object' && body !== null && 'message_id' in body ? body.message_id : undefined;
}
