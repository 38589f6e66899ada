import type { CreateSurface } from '../app/surface.js';
import { createChatApi } from './chat-api.js';
import { McpPrompts } from './commands/mcp-prompts.js';
import { userCommandFolder } from './commands/user-command-folder.js';
import { toChatError } from './http/chat-error.js';

/** The chat API as a surface of the server. */
export const createChatSurface: CreateSurface = ({ sessions, options, onFault }) => {
  const { launch = {}, fileRules } = options;
  const prompts = new McpPrompts({ sessions, launch });
  return {
    app: createChatApi({ sessions, onFault, prompts, fileRules, userFolder: userCommandFolder(launch) }),
    failures: { prefix: '/', toBody: toChatError },
  };
};
