import { type PublicEventBody, type PublicEventBodyOf, publicEventSchema } from '@qwen/protocol/server';
import { OpenMessages } from '../agent/open-messages.js';
import { endingOf, stopReasonOf, type TurnEnd } from '../agent/turn-ending.js';
import type { EventLog } from '../log/event-log.js';
import type { LoggedEvent, NewEvent } from '../log/logged-event.js';
import type { TurnEnding, TurnRecord } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';
import { placeOf, toNewEvent, turnEnd, userMessage } from './new-events.js';
import { toPublicText } from './public-text.js';

type Interruption = Extract<TurnEnd, { readonly outcome: 'interrupted' }>;

export interface TurnCloserOptions {
  readonly store: SessionStore;
  readonly log: Pick<EventLog, 'read' | 'append' | 'seqOf'>;
}

/**
 * Ends turns that nobody plays any more: their process died, or could not write. What the log has of them is closed, so
 * that readers are left with nothing open, and they are marked (F119). Doing it again, or beside somebody else who does,
 * changes nothing.
 */
export class TurnCloser {
  readonly #options: TurnCloserOptions;

  constructor(options: TurnCloserOptions) {
    this.#options = options;
  }

  /** Rejects with what the log or the store says. */
  async close(turn: TurnRecord, end: Interruption): Promise<void> {
    const { store, log } = this.#options;
    const { sessionId } = turn;
    const [receipt] = await log.append(sessionId, [userMessage(turn)]);
    const past = await this.#readTurn(turn, receipt?.seq ?? 0);
    const known = past.find(isEnd);
    const { events, lastText } = closingOf(turn, past, end);
    if (known === undefined) await log.append(sessionId, events);
    const ending = known === undefined ? { state: end.outcome, reply: lastText } : endingFor(known);
    const endedAt = Date.now();
    await store.endTurn(turn.id, { ...ending, endedAt });
    await store.update(sessionId, { lastActivityAt: endedAt });
  }

  /** What the log has of a turn, from its message on. */
  async #readTurn({ id, sessionId }: TurnRecord, startSeq: number): Promise<readonly PublicEventBody[]> {
    const bodies: PublicEventBody[] = [];
    for (let afterSeq = startSeq; ; ) {
      const { events, lastSeq } = await this.#options.log.read(sessionId, { afterSeq });
      const last = events.at(-1);
      for (const event of events) {
        const body = toBody(sessionId, event);
        if (body?.turn_id === id) bodies.push(body);
      }
      if (last === undefined || last.seq >= lastSeq) return bodies;
      afterSeq = last.seq;
    }
  }
}

/** Everything that ends it, each event with an id of its own: two that do this at once do it once. */
function closingOf(
  turn: TurnRecord,
  past: readonly PublicEventBody[],
  end: Interruption,
): { readonly events: readonly NewEvent[]; readonly lastText: string } {
  const open = new OpenMessages();
  const questions = new Map<string, PublicEventBodyOf<'approval.requested'>>();
  for (const body of past) {
    open.track(body);
    if (body.type === 'approval.requested') questions.set(body.approval_id, body);
    if (body.type === 'approval.settled') questions.delete(body.approval_id);
  }
  const closing = [...[...questions.values()].map(toWithdrawn), ...open.closing({ stopReason: stopReasonOf(end) })];
  const lastText = lastTextOf([...past, ...closing]);
  const ending = endingOf({ place: placeOf(turn), requestId: turn.requestId, lastText }, end);
  const closed = closing.map((body, index) => toNewEvent(body, `${turn.id}:close:${index}`));
  return { events: [...closed, ...turnEnd(turn.id, ending)], lastText };
}

function isEnd(body: PublicEventBody): body is PublicEventBodyOf<'turn.ended' | 'turn.interrupted'> {
  return body.type === 'turn.ended' || body.type === 'turn.interrupted';
}

function toWithdrawn(question: PublicEventBodyOf<'approval.requested'>): PublicEventBody {
  const { session_thread_id, turn_id, parent_tool_use_id, approval_id, tool_use_id } = question;
  const place = { session_thread_id, turn_id, parent_tool_use_id };
  return { ...place, type: 'approval.settled', approval_id, tool_use_id, behavior: 'deny', by: 'withdrawn' };
}

/** The last words of the main agent. */
function lastTextOf(bodies: readonly PublicEventBody[]): string {
  const texts = bodies.flatMap((body) => {
    const isMain = body.type === 'agent.message' && (body.parent_tool_use_id ?? null) === null;
    return isMain ? [body.content.map((block) => (block.type === 'text' ? block.text : '')).join('')] : [];
  });
  return texts.findLast((text) => text !== '') ?? '';
}

function endingFor(end: PublicEventBodyOf<'turn.ended' | 'turn.interrupted'>): Omit<TurnEnding, 'endedAt'> {
  return { state: end.type === 'turn.ended' ? end.outcome : 'interrupted', reply: end.result };
}

/** Undefined for what another version wrote and we cannot read: it closes nothing that we know of. */
function toBody(sessionId: string, event: LoggedEvent): PublicEventBody | undefined {
  const parsed = publicEventSchema.safeParse(JSON.parse(toPublicText(sessionId, event)));
  return parsed.success ? parsed.data : undefined;
}
