import type { PublicEventBody } from '@qwen/protocol/server';
import type { NewEvent } from '../log/logged-event.js';
import { primaryThreadId } from '../store/session-ids.js';
import type { TurnRecord } from '../store/session-record.js';

export function toNewEvent(body: PublicEventBody, eventId?: string): NewEvent {
  return { type: body.type, data: JSON.stringify(body), threadId: body.session_thread_id, eventId };
}

/** Events that a turn has at most once. */
export type TurnStep = 'user' | 'running' | 'started';

export function stepId(turnId: string, step: TurnStep): string {
  return `${turnId}:${step}`;
}

export function scopeOf({ id, sessionId }: Pick<TurnRecord, 'id' | 'sessionId'>) {
  return { session_thread_id: primaryThreadId(sessionId), turn_id: id, parent_tool_use_id: null };
}

export function userMessage(turn: TurnRecord): NewEvent {
  const body: PublicEventBody = {
    ...scopeOf(turn),
    type: 'user.message',
    request_id: turn.requestId,
    content: [...turn.content],
    processed_at: new Date(turn.createdAt).toISOString(),
  };
  return toNewEvent(body, stepId(turn.id, 'user'));
}

/** Ends a turn that did not run, because another one took its message. */
export function messageTaken(turn: TurnRecord, takenBy: string): NewEvent {
  const body: PublicEventBody = {
    ...scopeOf(turn),
    type: 'user.message_taken',
    request_id: turn.requestId,
    taken_by_turn_id: takenBy,
  };
  return toNewEvent(body, `${turn.id}:end:0`);
}

export function userInterrupt(sessionId: string, turnId: string | undefined): NewEvent {
  return toNewEvent({
    session_thread_id: primaryThreadId(sessionId),
    ...(turnId !== undefined && { turn_id: turnId }),
    parent_tool_use_id: null,
    type: 'user.interrupt',
  });
}

export function turnStart(turn: TurnRecord): readonly NewEvent[] {
  const scope = scopeOf(turn);
  return [
    toNewEvent({ ...scope, type: 'session.status_running' }, stepId(turn.id, 'running')),
    toNewEvent({ ...scope, type: 'turn.started', request_id: turn.requestId }, stepId(turn.id, 'started')),
  ];
}

/** With event ids, because the outbox may append them again. */
export function turnEnd(turnId: string, bodies: readonly PublicEventBody[]): readonly NewEvent[] {
  return bodies.map((body, index) => toNewEvent(body, `${turnId}:end:${index}`));
}
