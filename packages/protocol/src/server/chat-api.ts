import type * as z from 'zod/mini';
import { CHAT_ROUTES } from './chat-api-chat.js';
import { COMMAND_ROUTES } from './chat-api-commands.js';
import { FILE_ROUTES } from './chat-api-files.js';
import { SESSION_ROUTES } from './chat-api-sessions.js';
import { TASK_ROUTES } from './chat-api-tasks.js';

/** The table of the chat API. Handler types, request validation, OpenAPI and the docs page derive from it. */
export const CHAT_API = {
  ...SESSION_ROUTES,
  ...CHAT_ROUTES,
  ...FILE_ROUTES,
  ...COMMAND_ROUTES,
  ...TASK_ROUTES,
} as const;

export type ChatPath = keyof typeof CHAT_API;
export type ChatRequest<Path extends ChatPath> = z.output<(typeof CHAT_API)[Path]['request']>;
export type ChatResponse<Path extends ChatPath> = z.output<(typeof CHAT_API)[Path]['response']>;
