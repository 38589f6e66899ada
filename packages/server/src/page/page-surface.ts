import type { Command, HintCommands } from '@qwen/commands';
import { FileIndex } from '@qwen/commands/node';
import { Hono } from 'hono';
import { SessionCommands } from '../api/commands/session-commands.js';
import { userCommandFolder } from '../api/commands/user-command-folder.js';
import { toChatError } from '../api/http/chat-error.js';
import type { CreateSurface, SurfaceApp } from '../app/surface.js';
import { errorResponse } from '../guard/error-response.js';
import { servePageApi } from './page-api.js';
import { servePage } from './serve-page.js';

/**
 * The web page at `/` and what it asks beside the chat API. The page itself is open: it holds nothing that is anybody's,
 * and asks for the token where the server wants one.
 */
export const createPageSurface: CreateSurface = ({ sessions, options, onFault }) => {
  const files = new FileIndex();
  const commands = new SessionCommands({ sessions, userFolder: userCommandFolder(options.launch) });
  const app: SurfaceApp = new Hono();
  app.onError((error) => errorResponse(error, { onFault, toBody: toChatError }));
  servePageApi(app, {
    sessions,
    files,
    fileRules: options.fileRules,
    commandsOf: async (sessionId) => toHintCommands((await commands.open(sessionId)).registry.list()),
  });
  return { app, openPaths: servePage(app), close: () => files.close() };
};

/** What stands behind a name is known to the agent alone. */
function toHintCommands(commands: readonly Command[]): HintCommands {
  const list = commands.map((command) => ({ ...command, completes: false }));
  return { list: () => list, complete: async () => [] };
}
