import { AgentError, describeIssue } from '@qwen/protocol';
import { CLOUD_API, CLOUD_PATH, type CloudOperation, type CloudQuery, type CloudRequest } from '@qwen/protocol/server';
import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { type ErrorResponseOptions, errorResponse } from '../http/error-response.js';
import { readBody, readClientKey } from '../http/read-body.js';
import type { Route } from '../http/route-table.js';
import type { SurfaceApp } from '../http/surface.js';
import { fromCloudSessionId } from '../store/session-ids.js';
import type { CloudCall, CloudHandlers } from './cloud-call.js';
import { toCloudError } from './cloud-error.js';

export interface CloudRoutesOptions extends Pick<ErrorResponseOptions, 'onFault'> {
  readonly handlers: CloudHandlers;
}

/** The operations of the cloud API. The guards check the token and the body. */
export function serveCloudRoutes({ handlers, onFault }: CloudRoutesOptions): SurfaceApp {
  const app: SurfaceApp = new Hono();
  const methodsOf = new Map<string, string[]>();
  for (const operation of Object.keys(CLOUD_API)) {
    if (!isOperation(operation)) continue;
    const { method, path: route } = placeOf(operation);
    methodsOf.set(route, [...(methodsOf.get(route) ?? []), method]);
    const { query, request } = CLOUD_API[operation];
    serve(app, { operation, method, route, query, request }, handlers);
  }
  for (const [route, methods] of methodsOf) {
    app.all(route, () => {
      const error = new AgentError('method_not_allowed', `This path only accepts ${methods.join(' and ')} requests.`);
      const response = errorResponse(error, { toBody: toCloudError });
      response.headers.set('allow', methods.join(', '));
      return response;
    });
  }
  app.onError((error) => errorResponse(error, { onFault, toBody: toCloudError }));
  return app;
}

export function cloudRoutes(): readonly Route[] {
  return Object.entries(CLOUD_API).map(([operation, { scope }]) => ({ ...placeOf(operation), scope }));
}

function placeOf(operation: string): Pick<Route, 'method' | 'path'> {
  const [method = '', path = ''] = operation.split(' ');
  return { method, path: CLOUD_PATH + path.replaceAll(/\{(\w+)\}/g, ':$1') };
}

interface ServedOperation<Operation extends CloudOperation> {
  readonly operation: Operation;
  readonly method: string;
  readonly route: string;
  readonly query: z.ZodMiniType<CloudQuery<Operation>>;
  readonly request: z.ZodMiniType<CloudRequest<Operation>>;
}

function serve<Operation extends CloudOperation>(
  app: SurfaceApp,
  { operation, method, route, query, request }: ServedOperation<Operation>,
  handlers: CloudHandlers,
): void {
  app.on(method, route, async (context) => {
    const response = await handlers[operation]({
      ...pathOf(context),
      query: readQuery(context.req.query(), query),
      body: method === 'POST' ? await readBody(context.req.raw, request) : request.parse(undefined),
    });
    return response instanceof Response ? response : context.json(response, 200, { 'cache-control': 'no-store' });
  });
}

function pathOf({ req, env }: Context): Omit<CloudCall<CloudOperation>, 'query' | 'body'> {
  const publicId = req.param('session_id');
  const sessionId = publicId === undefined ? '' : fromCloudSessionId(publicId);
  if (sessionId === undefined) throw new AgentError('session_not_found', 'No session has this id.');
  return {
    sessionId,
    threadId: req.param('thread_id') ?? '',
    approvalId: req.param('approval_id') ?? '',
    lastEventId: req.header('last-event-id') ?? req.query('last_event_id'),
    clientKey: readClientKey(req),
    abandon: () => env.outgoing?.destroy(),
  };
}

/** Errors: `invalid_payload`, which names the parameter. */
function readQuery<Query>({ limit, ...texts }: Record<string, string>, schema: z.ZodMiniType<Query>): Query {
  const number = limit !== undefined && /^\d{1,9}$/.test(limit) ? Number(limit) : limit;
  const read = z.safeParse(schema, { ...texts, ...(number !== undefined && { limit: number }) });
  if (read.success) return read.data;
  throw new AgentError('invalid_payload', describeIssue('query', read.error));
}

function isOperation(text: string): text is CloudOperation {
  return Object.hasOwn(CLOUD_API, text);
}
