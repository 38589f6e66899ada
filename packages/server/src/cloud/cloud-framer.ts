import { toPublicText } from '../core/public-text.js';
import { toCloudSessionId } from '../core/session-ids.js';
import { EventFramer } from '../sse/event-framer.js';
import { toEventId } from '../sse/last-event-id.js';
import { toRemarkEvent } from '../sse/remarks.js';

/** How the cloud API shows the events of a session. */
export function createCloudFramer(sessionId: string): EventFramer {
  const shownId = toCloudSessionId(sessionId);
  return new EventFramer({
    toId: toEventId,
    toEvent: (event) => ({ id: toEventId(event.seq), type: event.type, data: toPublicText(shownId, event) }),
    // Where live begins is nothing that the documents know.
    toRemark: (remark) => (remark.kind === 'caught_up' ? undefined : toRemarkEvent(remark)),
  });
}
