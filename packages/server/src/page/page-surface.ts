import type { Command, HintCommands } from '@qwen/commands';
import { FileIndex } from '@qwen/commands/node';
import { defined } from '@qwen/protocol';
import { PAGE_API, type PageResponse } from '@qwen/protocol/server';
import type { Query } from '@qwen/sdk';
import { Hono } from 'hono';
import { commandFolderOf } from '../agent/agent-folders.js';
import { AgentFacts } from '../api/commands/agent-facts.js';
import { SessionCommands } from '../api/commands/session-commands.js';
import { toChatError } from '../api/http/chat-error.js';
import { errorResponse } from '../http/error-response.js';
import type { Route } from '../http/route-table.js';
import type { CreateSurface, SurfaceApp } from '../http/surface.js';
import { servePageApi } from './page-api.js';
import { servePage } from './serve-page.js';

/** The web page and its own routes. Its files need no token; the page asks for it if necessary. */
export const createPageSurface: CreateSurface = ({ sessions, launch, fileRules, folders, workspace, onFault }) => {
  const files = new FileIndex();
  const commands = new SessionCommands({ sessions, userFolder: commandFolderOf(launch) });
  const app: SurfaceApp = new Hono();
  app.onError((error) => errorResponse(error, { onFault, toBody: toChatError }));
  servePageApi(app, {
    sessions,
    files,
    fileRules,
    models: new AgentFacts({ sessions, launch: launch ?? {}, ask: readModels }),
    listFolders: (path = workspace) => folders.list(path, workspace),
    commandsOf: async (sessionId) => toHintCommands((await commands.open(sessionId)).registry.list()),
  });
  const pages = servePage(app).map((path): Route => ({ method: 'GET', path, scope: 'open' }));
  const routes = Object.entries(PAGE_API).map(([path, { scope }]): Route => ({ method: 'POST', path, scope }));
  return { app, routes: [...pages, ...routes], close: () => files.close() };
};

async function readModels(agent: Query): Promise<PageResponse<'/api/models'>> {
  const { models, current } = await agent.getAvailableModels();
  return { models: models.map(({ id, name }) => ({ id, ...defined({ name }) })), current };
}

/** Only the agent can complete arguments. */
function toHintCommands(commands: readonly Command[]): HintCommands {
  const suggested = commands.filter(({ forTerminal }) => forTerminal !== true);
  const list = suggested.map((command) => ({ ...command, completes: false }));
  return { list: () => list, complete: async () => [] };
}
