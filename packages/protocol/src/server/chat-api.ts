import type * as z from 'zod/mini';
import { CHAT_ROUTES } from './chat-api-chat.js';
import { COMMAND_ROUTES } from './chat-api-commands.js';
import { FILE_ROUTES } from './chat-api-files.js';
import { SESSION_ROUTES } from './chat-api-sessions.js';

/**
 * The table of the chat API (group Q). From one row come the handler's types, the check of the request, the OpenAPI
 * document and the docs page.
 */
export const CHAT_API = { ...SESSION_ROUTES, ...CHAT_ROUTES, ...FILE_ROUTES, ...COMMAND_ROUTES } as const;

/** The path of a route of the chat API. */
export type ChatPath = keyof typeof CHAT_API;
/** The body of a request. */
export type ChatRequest<Path extends ChatPath> = z.output<(typeof CHAT_API)[Path]['request']>;
/** The body of the answer to a request that went well; of a stream, one event of it. */
export type ChatAnswer<Path extends ChatPath> = z.output<(typeof CHAT_API)[Path]['answer']>;
