import type { PublicEventBody } from '@qwen/protocol/server';
import type { NewEvent } from '../log/logged-event.js';
import { primaryThreadId } from '../store/session-ids.js';
import type { TurnRecord } from '../store/session-record.js';

/** A body as the log takes it. With an event id it is added once, however often it is asked for (F129). */
export function toNewEvent(body: PublicEventBody, eventId?: string): NewEvent {
  return { type: body.type, data: JSON.stringify(body), threadId: body.session_thread_id, eventId };
}

/** The steps of a turn that are in its log at most once, whoever writes them. */
export type TurnStep = 'user' | 'running' | 'started';

export function stepId(turnId: string, step: TurnStep): string {
  return `${turnId}:${step}`;
}

/** Where the main agent's events of a turn belong. */
export function placeOf({ id, sessionId }: Pick<TurnRecord, 'id' | 'sessionId'>) {
  return { session_thread_id: primaryThreadId(sessionId), turn_id: id, parent_tool_use_id: null };
}

/** What opens a turn in the log. */
export function userMessage(turn: TurnRecord): NewEvent {
  const body: PublicEventBody = {
    ...placeOf(turn),
    type: 'user.message',
    request_id: turn.requestId,
    content: [...turn.content],
    processed_at: new Date(turn.createdAt).toISOString(),
  };
  return toNewEvent(body, stepId(turn.id, 'user'));
}

/** A user stops a session, in this turn if there is one. */
export function userInterrupt(sessionId: string, turnId: string | undefined): NewEvent {
  return toNewEvent({
    session_thread_id: primaryThreadId(sessionId),
    ...(turnId !== undefined && { turn_id: turnId }),
    parent_tool_use_id: null,
    type: 'user.interrupt',
  });
}

/** What says that a turn runs. */
export function turnStart(turn: TurnRecord): readonly NewEvent[] {
  const place = placeOf(turn);
  return [
    toNewEvent({ ...place, type: 'session.status_running' }, stepId(turn.id, 'running')),
    toNewEvent({ ...place, type: 'turn.started', request_id: turn.requestId }, stepId(turn.id, 'started')),
  ];
}

/** What ends a turn, each event with an id of its own: however often they are told, they are there once. */
export function turnEnd(turnId: string, bodies: readonly PublicEventBody[]): readonly NewEvent[] {
  return bodies.map((body, index) => toNewEvent(body, `${turnId}:end:${index}`));
}
