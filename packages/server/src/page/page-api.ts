import type { HintCommands } from '@qwen/commands';
import type { FileIndex } from '@qwen/commands/node';
import { AgentError, defined } from '@qwen/protocol';
import { PAGE_API, type PagePath, type PageRequest, type PageResponse } from '@qwen/protocol/server';
import type { Context } from 'hono';
import type * as z from 'zod/mini';
import type { AgentFacts } from '../api/commands/agent-facts.js';
import { openWorkspace } from '../api/files/workspace.js';
import type { FindFileRules } from '../core/file-rules.js';
import { toPublicText } from '../core/public-text.js';
import type { FolderListing, SessionService } from '../core/session-service.js';
import { ADMIN } from '../guard/access-tokens.js';
import { readBody } from '../http/read-body.js';
import { currentRequest } from '../http/request-context.js';
import type { SurfaceApp } from '../http/surface.js';
import { EventFramer } from '../sse/event-framer.js';
import { eventStreamResponse } from '../sse/event-stream-response.js';
import { SessionFramers } from '../sse/session-framers.js';
import { readEventsPage } from './events-page.js';
import { askHints } from './hints.js';

export interface PageApiOptions {
  readonly sessions: Pick<SessionService, 'log' | 'getChecked'>;
  /** May reject. */
  readonly commandsOf: (sessionId: string) => Promise<HintCommands>;
  readonly files: Pick<FileIndex, 'viewedBy'>;
  readonly models: Pick<AgentFacts<PageResponse<'/api/models'>>, 'of'>;
  readonly listFolders: (path: string | undefined) => Promise<FolderListing>;
  /** Default: no rules. */
  readonly fileRules?: FindFileRules | undefined;
}

type Handler<Path extends PagePath> = (
  request: PageRequest<Path>,
  context: Context,
) => Promise<PageResponse<Path> | Response>;
type Handlers = { readonly [Path in PagePath]: Handler<Path> };

/** The guards check the body. */
export function servePageApi(app: SurfaceApp, options: PageApiOptions): void {
  const handlers = pageHandlers(options);
  for (const path of Object.keys(PAGE_API)) {
    if (isPagePath(path)) serve(app, { path, schema: PAGE_API[path].request }, handlers);
  }
}

function createPageFramer(sessionId: string): EventFramer {
  return new EventFramer({
    toEvent: (event) => ({ id: String(event.seq), type: event.type, data: toPublicText(sessionId, event) }),
  });
}

function pageHandlers({ sessions, commandsOf, files, fileRules, models, listFolders }: PageApiOptions): Handlers {
  const framers = new SessionFramers(createPageFramer);
  return {
    '/api/chat/events': async (query) =>
      new Response(await readEventsPage(sessions.log, query), {
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
      }),
    '/api/chat/follow': async ({ sessionId, afterSeq }, { env }) => {
      const subscription = await sessions.log.attach(sessionId, { afterSeq });
      return eventStreamResponse(subscription, {
        framer: framers.of(sessionId),
        abandon: () => env.outgoing?.destroy(),
      });
    },
    '/api/hints': async ({ sessionId, trigger, text, cursor }, { req }) => {
      const { root: cwd, directories, rules } = await openWorkspace(await sessions.getChecked(sessionId), fileRules);
      const commands = trigger === 'slash' ? await commandsOf(sessionId) : NO_COMMANDS;
      const query = { promptId: undefined, trigger, text, cursor, cwd };
      const view = files.viewedBy({ roots: () => [cwd, ...directories], isHidden: (path) => rules.hides(path) });
      return askHints(query, { commands, files: view }, req.raw.signal);
    },
    '/api/whoami': async () => {
      const { caller = ADMIN, onlySessionId: sessionId } = currentRequest() ?? {};
      const { name, scopes } = caller;
      return { ...defined({ name, sessionId }), scopes: [...scopes] };
    },
    '/api/models': async ({ sessionId }) => models.of(sessionId),
    '/api/folders': async ({ path }) => {
      const { parent, ...listing } = await listFolders(path);
      return { ...listing, ...defined({ parent }), folders: [...listing.folders] };
    },
  };
}

const NO_COMMANDS: HintCommands = { list: () => [], complete: async () => [] };

interface ServedRoute<Path extends PagePath> {
  readonly path: Path;
  readonly schema: z.ZodMiniType<PageRequest<Path>>;
}

function serve<Path extends PagePath>(app: SurfaceApp, { path, schema }: ServedRoute<Path>, handlers: Handlers): void {
  app.post(path, async (context) => {
    const response = await handlers[path](await readBody(context.req.raw, schema), context);
    return response instanceof Response ? response : context.json(response, 200, { 'cache-control': 'no-store' });
  });
  app.all(path, () => {
    throw new AgentError('method_not_allowed', `${path} only accepts POST requests.`);
  });
}

function isPagePath(path: string): path is PagePath {
  return Object.hasOwn(PAGE_API, path);
}
