import type { CreateSurface } from '../app/surface.js';
import { createChatApi } from './chat-api.js';
import { userCommandFolder } from './commands/user-command-folder.js';
import { toChatError } from './http/chat-error.js';

/** The chat API as a surface of the server. */
export const createChatSurface: CreateSurface = ({ sessions, options, onFault }) => ({
  app: createChatApi({ sessions, onFault, userFolder: userCommandFolder(options.launch) }),
  failures: { prefix: '/', toBody: toChatError },
});
