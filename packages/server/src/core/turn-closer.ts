import { eventBodySchema, type PublicEventBody, type PublicEventBodyOf } from '@qwen/protocol/server';
import type { EventLog } from '../log/event-log.js';
import type { LoggedEvent } from '../log/logged-event.js';
import { OpenMessages } from '../projection/open-messages.js';
import { endingOf, stopReasonOf, type TurnEnd } from '../projection/turn-ending.js';
import type { TurnEnding, TurnRecord } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';
import { endTurn } from './end-turn.js';
import { placeOf, turnEnd, userMessage } from './new-events.js';

type Interruption = Extract<TurnEnd, { readonly outcome: 'interrupted' }>;

export interface TurnCloserOptions {
  readonly store: SessionStore;
  readonly log: Pick<EventLog, 'read' | 'append'>;
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
    const [receipt] = await log.append(turn.sessionId, [userMessage(turn)]);
    const past = await this.#readTurn(turn, receipt?.seq ?? 0);
    const endedAt = Date.now();
    await store.update(turn.sessionId, { lastActivityAt: endedAt });
    await endTurn(turn, { state: end.outcome, endedAt, ...closingOf(turn, past, end) }, this.#options);
  }

  /** What the log has of a turn, from its message on. */
  async #readTurn({ id, sessionId }: TurnRecord, startSeq: number): Promise<readonly PublicEventBody[]> {
    const bodies: PublicEventBody[] = [];
    for (let afterSeq = startSeq; ; ) {
      const { events, lastSeq } = await this.#options.log.read(sessionId, { afterSeq });
      const last = events.at(-1);
      for (const event of events) {
        const body = toBody(event);
        if (body?.turn_id === id) bodies.push(body);
      }
      if (last === undefined || last.seq >= lastSeq) return bodies;
      afterSeq = last.seq;
    }
  }
}

function closingOf(
  turn: TurnRecord,
  past: readonly PublicEventBody[],
  end: Interruption,
): Pick<TurnEnding, 'events' | 'reply'> {
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
  return { events: turnEnd(turn.id, [...closing, ...ending]), reply: lastText };
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

/** Undefined for what another version wrote and we cannot read: it closes nothing that we know of. */
function toBody({ data }: LoggedEvent): PublicEventBody | undefined {
  const parsed = eventBodySchema.safeParse(JSON.parse(data));
  return parsed.success ? parsed.data : undefined;
}
