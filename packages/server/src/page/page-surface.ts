import type { Command, HintCommands } from '@qwen/commands';
import { FileIndex } from '@qwen/commands/node';
import { PAGE_API } from '@qwen/protocol/server';
import { Hono } from 'hono';
import { commandFolderOf } from '../agent/agent-folders.js';
import { SessionCommands } from '../api/commands/session-commands.js';
import { toChatError } from '../api/http/chat-error.js';
import { errorResponse } from '../http/error-response.js';
import type { Route } from '../http/route-table.js';
import type { CreateSurface, SurfaceApp } from '../http/surface.js';
import { servePageApi } from './page-api.js';
import { servePage } from './serve-page.js';

/** The web page and its own routes. Its files need no token; the page asks for it if necessary. */
export const createPageSurface: CreateSurface = ({ sessions, launch, fileRules, onFault }) => {
  const files = new FileIndex();
  const commands = new SessionCommands({ sessions, userFolder: commandFolderOf(launch) });
  const app: SurfaceApp = new Hono();
  app.onError((error) => errorResponse(error, { onFault, toBody: toChatError }));
  servePageApi(app, {
    sessions,
    files,
    fileRules,
    commandsOf: async (sessionId) => toHintCommands((await commands.open(sessionId)).registry.list()),
  });
  const pages = servePage(app).map((path): Route => ({ method: 'GET', path, scope: 'open' }));
  const routes = Object.entries(PAGE_API).map(([path, { scope }]): Route => ({ method: 'POST', path, scope }));
  return { app, routes: [...pages, ...routes], close: () => files.close() };
};

/** Only the agent can complete arguments. */
function toHintCommands(commands: readonly Command[]): HintCommands {
  const suggested = commands.filter(({ forTerminal }) => forTerminal !== true);
  const list = suggested.map((command) => ({ ...command, completes: false }));
  return { list: () => list, complete: async () => [] };
}
