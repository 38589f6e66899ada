import { toPublicText } from '../core/public-text.js';
import { toCloudSessionId } from '../core/session-ids.js';
import { EventFramer } from '../sse/event-framer.js';
import { toEventId } from '../sse/last-event-id.js';
import { toRemarkEvent } from '../sse/remarks.js';

/**
 * The framers of the sessions that are followed. Streams of one session share theirs, so that an event is made into
 * bytes once, however many readers it has; with the last of them it goes.
 */
export class SessionFramers {
  readonly #framers = new Map<string, WeakRef<EventFramer>>();
  readonly #unused = new FinalizationRegistry<string>((sessionId) => {
    if (this.#framers.get(sessionId)?.deref() === undefined) this.#framers.delete(sessionId);
  });

  of(sessionId: string): EventFramer {
    const known = this.#framers.get(sessionId)?.deref();
    if (known !== undefined) return known;
    const framer = createFramer(toCloudSessionId(sessionId));
    this.#framers.set(sessionId, new WeakRef(framer));
    this.#unused.register(framer, sessionId);
    return framer;
  }
}

function createFramer(shownId: string): EventFramer {
  return new EventFramer({
    toId: toEventId,
    toEvent: (event) => ({ id: toEventId(event.seq), type: event.type, data: toPublicText(shownId, event) }),
    // Where live begins is nothing that the documents know.
    toRemark: (remark) => (remark.kind === 'caught_up' ? undefined : toRemarkEvent(remark)),
  });
}
