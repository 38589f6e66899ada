import { eventBodySchema, type PublicEventBody, type PublicEventBodyOf } from '@qwen/protocol/server';
import type { EventLog } from '../log/event-log.js';
import type { LoggedEvent } from '../log/logged-event.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import { OpenMessages } from '../projection/open-messages.js';
import { endingOf, stopReasonOf, type TurnEnd } from '../projection/turn-ending.js';
import type { TurnEnding, TurnRecord } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';
import { endTurn } from './end-turn.js';
import { scopeOf, turnEnd, userMessage } from './new-events.js';

type InterruptedEnd = Extract<TurnEnd, { readonly outcome: 'interrupted' }>;

export interface TurnCloserOptions {
  readonly store: SessionStore;
  readonly log: Pick<EventLog, 'read' | 'append'>;
  readonly metrics?: ServerMetrics | undefined;
}

/**
 * Ends turns whose process died or could not write: closes what is open in the log and marks them as interrupted.
 * Idempotent.
 */
export class TurnCloser {
  readonly #options: TurnCloserOptions;

  constructor(options: TurnCloserOptions) {
    this.#options = options;
  }

  async close(turn: TurnRecord, end: InterruptedEnd): Promise<void> {
    const { store, log } = this.#options;
    const [receipt] = await log.append(turn.sessionId, [userMessage(turn)]);
    const logged = await this.#readTurn(turn, receipt?.seq ?? 0);
    const endedAt = Date.now();
    await store.update(turn.sessionId, { lastActivityAt: endedAt });
    await endTurn(turn, { state: end.outcome, endedAt, ...closingOf(turn, logged, end) }, this.#options);
  }

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
  logged: readonly PublicEventBody[],
  end: InterruptedEnd,
): Pick<TurnEnding, 'events' | 'reply'> {
  const open = new OpenMessages();
  const requests = new Map<string, PublicEventBodyOf<'approval.requested'>>();
  for (const body of logged) {
    open.track(body);
    if (body.type === 'approval.requested') requests.set(body.approval_id, body);
    if (body.type === 'approval.settled') requests.delete(body.approval_id);
  }
  const closing = [...[...requests.values()].map(toWithdrawn), ...open.closing({ stopReason: stopReasonOf(end) })];
  const lastText = lastTextOf([...logged, ...closing]);
  const ending = endingOf({ scope: scopeOf(turn), requestId: turn.requestId, lastText }, end);
  return { events: turnEnd(turn.id, [...closing, ...ending]), reply: lastText };
}

function toWithdrawn(request: PublicEventBodyOf<'approval.requested'>): PublicEventBody {
  const { session_thread_id, turn_id, parent_tool_use_id, approval_id, tool_use_id } = request;
  const scope = { session_thread_id, turn_id, parent_tool_use_id };
  return { ...scope, type: 'approval.settled', approval_id, tool_use_id, behavior: 'deny', by: 'withdrawn' };
}

function lastTextOf(bodies: readonly PublicEventBody[]): string {
  const texts = bodies.flatMap((body) => {
    const isMain = body.type === 'agent.message' && (body.parent_tool_use_id ?? null) === null;
    return isMain ? [body.content.map((block) => (block.type === 'text' ? block.text : '')).join('')] : [];
  });
  return texts.findLast((text) => text !== '') ?? '';
}

/** Undefined for events of another version. */
function toBody({ data }: LoggedEvent): PublicEventBody | undefined {
  const parsed = eventBodySchema.safeParse(JSON.parse(data));
  return parsed.success ? parsed.data : undefined;
}
