import { errorResponse } from '../src/http/error-response.js';
import type { EventLog } from '../src/log/event-log.js';
import { EventFramer } from '../src/sse/event-framer.js';
import { eventStreamResponse, type SharedStreamOptions } from '../src/sse/event-stream-response.js';
import { parseLastEventId } from '../src/sse/last-event-id.js';
import { startServer, type TestServer } from './http-server.js';

/** Serves the events of every session of a log at `/<session>`, by GET and POST. */
export function startEventServer(log: EventLog, options: Partial<SharedStreamOptions> = {}): Promise<TestServer> {
  const framer = new EventFramer();
  return startServer((app) => {
    app.onError((error) => errorResponse(error));
    app.on(['GET', 'POST'], '/:session', async (context) => {
      await context.req.text();
      const afterSeq = parseLastEventId(context.req.header('last-event-id'));
      const subscription = await log.attach(context.req.param('session'), { afterSeq });
      const abandon = () => context.env.outgoing.destroy();
      return eventStreamResponse(subscription, { framer, abandon, ...options });
    });
  });
}
