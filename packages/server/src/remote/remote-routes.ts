import { AgentError, readTraceContext } from '@qwen/protocol';
import {
  REMOTE_PATH,
  type RemoteStarted,
  remoteLinesSchema,
  remoteReceivedSchema,
  remoteStartSchema,
} from '@qwen/protocol/server';
import { type Context, Hono } from 'hono';
import { bodyGuard } from '../guard/body-guard.js';
import { type ErrorResponseOptions, errorResponse } from '../http/error-response.js';
import { readBody } from '../http/read-body.js';
import type { CreateSurface, SurfaceApp } from '../http/surface.js';
import { EventFramer } from '../sse/event-framer.js';
import { eventStreamResponse } from '../sse/event-stream-response.js';
import { parseLastEventId } from '../sse/last-event-id.js';
import { toNoticeEvent } from '../sse/stream-notices.js';
import { RemoteAgentRegistry } from './remote-agent-registry.js';

export interface RemoteRoutesOptions extends Pick<ErrorResponseOptions, 'onFault'> {
  readonly registry: RemoteAgentRegistry;
  /** See `EventStreamOptions`. */
  readonly heartbeatMs?: number | undefined;
}

/** Fits a line of 16 MiB in which every character is escaped in JSON. */
const MAX_BODY_BYTES = 40 * 1024 * 1024;
const MAX_GRACE_MS = 600_000;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** For the client in `@qwen/sdk`. Checks bodies itself. Access must be restricted as for a shell. */
export function remoteRoutes({ registry, heartbeatMs = 15_000, onFault }: RemoteRoutesOptions): SurfaceApp {
  const routes: SurfaceApp = new Hono();
  const framer = new EventFramer({ toNotice: (notice) => (notice.kind === 'gap' ? toNoticeEvent(notice) : undefined) });
  routes.onError((thrown) => errorResponse(thrown, { onFault }));
  routes.use(bodyGuard({ maxBytes: MAX_BODY_BYTES }));

  routes.put('/:id', async (context) => {
    const { traceparent, tracestate } = context.req.header();
    const trace = readTraceContext({ traceparent, tracestate });
    await registry.start(idOf(context), await readBody(context.req.raw, remoteStartSchema), trace);
    const { graceMs, windowBytes } = registry;
    const started: RemoteStarted = { grace_ms: graceMs, heartbeat_ms: heartbeatMs, window_bytes: windowBytes };
    return context.json(started);
  });
  routes.get('/:id/lines', async (context) => {
    const afterSeq = parseLastEventId(context.req.header('last-event-id')) ?? 0;
    const subscription = await registry.attach(idOf(context), afterSeq, context.env?.outgoing);
    const abandon = () => void context.env?.incoming?.socket.destroy();
    return eventStreamResponse(subscription, { framer, heartbeatMs, abandon });
  });
  routes.post('/:id/lines', async (context) => {
    const lines = await readBody(context.req.raw, remoteLinesSchema);
    return context.json({ taken: await registry.get(idOf(context)).take(lines) });
  });
  routes.post('/:id/received', async (context) => {
    const { seq } = await readBody(context.req.raw, remoteReceivedSchema);
    await registry.acknowledge(idOf(context), seq);
    return context.body(null, 204);
  });
  routes.delete('/:id', (context) => {
    const agent = registry.get(idOf(context));
    // The stream reports the exit.
    void agent.close({ graceMs: graceOf(context.req.query('grace_ms')) });
    return context.body(null, 202);
  });
  return routes;
}

/** Errors: `session_not_found`. */
function idOf(context: Context): string {
  const id = context.req.param('id') ?? '';
  if (!UUID.test(id)) throw new AgentError('session_not_found', 'The id of a remote query must be a UUID.');
  return id;
}

function graceOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const graceMs = Number(text);
  if (/^\d{1,6}$/.test(text) && graceMs <= MAX_GRACE_MS) return graceMs;
  throw new AgentError('invalid_payload', `grace_ms: expected milliseconds, at most ${MAX_GRACE_MS}`);
}

const CLOSE_GRACE_MS = 1_000;

/** Always requires the token, because a CLI can do whatever the user of this server can. */
export const createRemoteSurface: CreateSurface = ({ launch, workspace, folders, onFault }) => {
  const registry = new RemoteAgentRegistry({ workspaceRoot: workspace, folders, launch });
  const app: SurfaceApp = new Hono();
  app.route(REMOTE_PATH, remoteRoutes({ registry, onFault }));
  return {
    app,
    routes: [{ method: 'ALL', path: `${REMOTE_PATH}/*`, scope: 'admin' }],
    failures: { prefix: REMOTE_PATH, toBody: (error) => ({ error }) },
    tokenPrefixes: [REMOTE_PATH],
    ownBodyPrefixes: [REMOTE_PATH],
    close: () => registry.close({ graceMs: CLOSE_GRACE_MS }),
  };
};
