import { CHAT_API } from '@qwen/protocol/server';
import type { Hono } from 'hono';
import { commandFolderOf } from '../agent/agent-folders.js';
import type { SessionService } from '../core/session-service.js';
import type { ShareLinks } from '../guard/share-links.js';
import type { CreateSurface } from '../http/surface.js';
import { type ChatHandlersOptions, chatHandlers } from './chat/chat-handlers.js';
import { AgentFacts, readMcpPrompts } from './commands/agent-facts.js';
import { commandHandlers } from './commands/command-handlers.js';
import { SessionCommands, type SessionCommandsOptions } from './commands/session-commands.js';
import { taskHandlers } from './commands/task-handlers.js';
import { fileHandlers } from './files/file-handlers.js';
import { toChatError } from './http/chat-error.js';
import { type ChatBindings, type ServeRoutesOptions, serveRoutes } from './http/serve-routes.js';
import { linkHandlers } from './sessions/link-handlers.js';
import { sessionHandlers } from './sessions/session-handlers.js';

export interface ChatApiOptions
  extends Omit<SessionCommandsOptions, 'sessions'>,
    Pick<ChatHandlersOptions, 'stream'>,
    Pick<ServeRoutesOptions, 'onFault'> {
  readonly sessions: SessionService;
  readonly links: Pick<ShareLinks, 'create' | 'ticketOf'>;
}

export function createChatApi({ sessions, links, stream, onFault, ...options }: ChatApiOptions): Hono<ChatBindings> {
  const commands = new SessionCommands({ sessions, ...options });
  const handlers = {
    ...sessionHandlers(sessions),
    ...linkHandlers(sessions, links),
    ...chatHandlers({ sessions, commands, stream }),
    ...fileHandlers(sessions, options.fileRules),
    ...commandHandlers({ sessions, commands }),
    ...taskHandlers(sessions),
  };
  return serveRoutes({ handlers, onFault });
}

export const createChatSurface: CreateSurface = ({ sessions, links, launch = {}, fileRules, onFault }) => {
  const prompts = new AgentFacts({ sessions, launch, ask: readMcpPrompts });
  return {
    app: createChatApi({ sessions, links, onFault, prompts, fileRules, userFolder: commandFolderOf(launch) }),
    routes: Object.entries(CHAT_API).map(([path, { scope }]) => ({ method: 'POST', path, scope })),
    failures: { prefix: '/', toBody: toChatError },
  };
};
