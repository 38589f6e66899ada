import type { HttpBindings } from '@hono/node-server';
import { AgentError } from '@qwen/protocol';
import { CHAT_API, type ChatPath, type ChatRequest } from '@qwen/protocol/server';
import { type Context, Hono } from 'hono';
import type * as z from 'zod/mini';
import { errorResponse } from '../../http/error-response.js';
import { readBody, readClientKey } from '../../http/read-body.js';
import type { ChatCall, ChatHandlers } from './chat-call.js';
import { toChatError } from './chat-error.js';

export type ChatBindings = { Bindings: Partial<HttpBindings> };

export interface ServeRoutesOptions {
  readonly handlers: ChatHandlers;
  readonly onFault?: ((errorId: string, thrown: unknown) => void) | undefined;
}

/** The guards check the body. */
export function serveRoutes({ handlers, onFault }: ServeRoutesOptions): Hono<ChatBindings> {
  const app = new Hono<ChatBindings>();
  for (const path of Object.keys(CHAT_API))
    if (isChatPath(path)) serve(app, { path, schema: CHAT_API[path].request }, handlers);
  app.onError((error, context) =>
    errorResponse(error, { onFault, toBody: (wire) => toChatError(wire, context.req.path) }),
  );
  return app;
}

interface ServedRoute<Path extends ChatPath> {
  readonly path: Path;
  readonly schema: z.ZodMiniType<ChatRequest<Path>>;
}

function serve<Path extends ChatPath>(
  app: Hono<ChatBindings>,
  { path, schema }: ServedRoute<Path>,
  handlers: ChatHandlers,
): void {
  app.post(path, async (context) => {
    const request = await readBody(context.req.raw, schema);
    const response = await handlers[path](request, toCall(context));
    if (response instanceof Response) return response;
    return context.json(response, 200, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });
  app.all(path, () => {
    const error = new AgentError('method_not_allowed', `${path} only accepts POST requests.`);
    const response = errorResponse(error, { toBody: (wire) => toChatError(wire, path) });
    response.headers.set('allow', 'POST');
    return response;
  });
}

function toCall({ req, env }: Context<ChatBindings>): ChatCall {
  return { signal: req.raw.signal, clientKey: readClientKey(req), abandon: () => env.outgoing?.destroy() };
}

function isChatPath(path: string): path is ChatPath {
  return Object.hasOwn(CHAT_API, path);
}
