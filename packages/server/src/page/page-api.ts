import type { HttpBindings } from '@hono/node-server';
import type { HintCommands } from '@qwen/commands';
import { FileIndex } from '@qwen/commands/node';
import { AgentError, describeIssue } from '@qwen/protocol';
import { PAGE_API } from '@qwen/protocol/server';
import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import type { SessionService } from '../core/session-service.js';
import { EventFramer } from '../sse/event-framer.js';
import type { EventStreamOptions } from '../sse/event-stream.js';
import { eventStreamResponse } from '../sse/event-stream-response.js';
import { readEventsPage } from './events-page.js';
import { askHints } from './hints.js';
import { toPublicText } from '../core/public-text.js';

type Bindings = { Bindings: Partial<HttpBindings> };
type PageContext = Context<Bindings>;

export interface PageApiOptions {
  readonly sessions: Pick<SessionService, 'log' | 'get' | 'directories'>;
  /** The slash commands of a session. May reject. Default: none. */
  readonly commandsOf?: ((sessionId: string) => Promise<HintCommands>) | undefined;
  /** How the streams behave. Default: as `EventStreamOptions` says. */
  readonly stream?: Omit<EventStreamOptions, 'framer' | 'abandon'> | undefined;
}

/** The routes of `PAGE_API`. Whoever makes it closes it. */
export interface PageApi extends AsyncDisposable {
  readonly app: Hono<Bindings>;
}

const NO_COMMANDS: HintCommands = { list: () => [], complete: async () => [] };

/**
 * What the page asks beside the chat API. It stands behind the same guards, which also see to it that bodies are JSON and
 * not too large. Errors are thrown; the app that it is mounted in answers them.
 */
export function createPageApi({ sessions, commandsOf, stream = {} }: PageApiOptions): PageApi {
  const index = new FileIndex();
  const app = new Hono<Bindings>();

  app.post('/api/chat/events', async (context) => {
    const query = await readBody(context, PAGE_API['/api/chat/events'].request);
    return context.body(await readEventsPage(sessions.log, query), 200, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
  });

  app.post('/api/chat/follow', async (context) => {
    const { sessionId, afterSeq } = await readBody(context, PAGE_API['/api/chat/follow'].request);
    const framer = new EventFramer({
      toEvent: (event) => ({ id: String(event.seq), type: event.type, data: toPublicText(sessionId, event) }),
    });
    const subscription = await sessions.log.attach(sessionId, { afterSeq });
    return eventStreamResponse(subscription, {
      ...stream,
      framer,
      abandon: () => context.env.outgoing?.destroy(),
    });
  });

  app.post('/api/hints', async (context) => {
    const { sessionId, trigger, text, cursor } = await readBody(context, PAGE_API['/api/hints'].request);
    const { workspaceRoot: cwd } = await sessions.get(sessionId);
    const folders = await sessions.directories(sessionId);
    const commands = trigger === 'slash' && commandsOf !== undefined ? await commandsOf(sessionId) : NO_COMMANDS;
    const query = { promptId: undefined, trigger, text, cursor, cwd };
    const sources = { commands, files: index.viewedBy({ roots: () => folders }) };
    return context.json(await askHints(query, sources, context.req.raw.signal));
  });

  return { app, [Symbol.asyncDispose]: () => index.close() };
}

async function readBody<Schema extends z.ZodMiniType>(context: PageContext, schema: Schema): Promise<z.output<Schema>> {
  const body: unknown = await context.req.json().catch(() => {
    throw new AgentError('invalid_json', 'The body of the request is not JSON.');
  });
  const { data, error } = z.safeParse(schema, body);
  if (error !== undefined) throw new AgentError('invalid_payload', describeIssue('body', error));
  return data;
}
