import { readTraceContext } from '@qwen/protocol';
import type { MiddlewareHandler } from 'hono';
import type { GuardContext } from '../guard/request-headers.js';
import type { ServerLogger } from '../logging/server-logger.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import { ServerSpan } from '../telemetry/server-span.js';
import { inRequest, type RequestContext, toRequestId } from './request-context.js';
import type { RouteTable } from './route-table.js';

export interface AccessLogOptions {
  readonly routes: RouteTable;
  readonly logger: ServerLogger;
  readonly metrics: ServerMetrics | undefined;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Asked every few seconds. */
const PROBES = new Set(['/health', '/ready', '/metrics']);

/** Gives each request an id, and logs and counts it. The query is left out, since it may hold a ticket. */
export function accessLog({ routes, logger, metrics }: AccessLogOptions): MiddlewareHandler {
  return async (context: GuardContext, next) => {
    const startedAt = performance.now();
    const { method, path } = context.req;
    const request: RequestContext = {
      id: toRequestId(context.req.header('x-request-id')),
      route: routes.find(method, path),
    };
    const { outgoing, incoming } = context.env ?? {};
    const span = PROBES.has(request.route?.path ?? '') ? undefined : startSpan(context, request);
    const work = () => inRequest(request, next);
    await (span === undefined ? work() : span.run(work));
    context.header('x-request-id', request.id);
    const { status } = context.res;
    const route = request.route?.path ?? 'unknown';
    const labels = { method: METHODS.has(method) ? method : 'OTHER', route, status: String(status) };
    metrics?.requests.observe(labels, (performance.now() - startedAt) / 1000);
    const write = () => {
      const { sessionId } = request;
      span?.end(
        {
          'http.response.status_code': status,
          ...(sessionId !== undefined && { 'gen_ai.conversation.id': sessionId }),
        },
        status >= 500 ? String(status) : undefined,
      );
      logger[PROBES.has(route) ? 'debug' : 'info'](
        {
          http_request_id: request.id,
          method,
          path,
          status,
          duration_ms: Math.round(performance.now() - startedAt),
          ...(request.caller !== undefined && { caller: request.caller.name ?? 'admin' }),
          ...(request.sessionId !== undefined && { session_id: request.sessionId }),
          ...(incoming !== undefined && { remote_address: incoming.socket.remoteAddress }),
        },
        'request',
      );
    };
    // Streams end later.
    if (outgoing === undefined || outgoing.closed) write();
    else outgoing.once('close', write);
  };
}

/** Its name and attributes have no path of the client, which may hold anything. */
function startSpan({ req }: GuardContext, { id, route }: RequestContext): ServerSpan | undefined {
  const method = METHODS.has(req.method) ? req.method : 'OTHER';
  const attributes = {
    'http.request.method': method,
    'qwen.http_request.id': id,
    ...(route !== undefined && { 'http.route': route.path }),
  };
  const { traceparent, tracestate } = req.header();
  return ServerSpan.start({
    name: route === undefined ? method : `${method} ${route.path}`,
    kind: 'SERVER',
    attributes,
    parent: readTraceContext({ traceparent, tracestate }),
  });
}
