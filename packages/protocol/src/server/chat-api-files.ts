import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { type ChatRoute, NO_SESSION, pathWord, sessionIdWord, words } from './chat-api-words.js';

const success = z.literal(true);
const NO_FILE = `${NO_SESSION} Or no such file or folder.`;
const shownPath = z.string().check(z.describe('As it was asked for.'));
const summary = z.string().check(z.describe('For people.'));

/** Files of a session's workspace. */
export const FILE_ROUTES = {
  '/api/files/read': {
    meaning: 'The text of a file, or some lines of it.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdWord,
        path: pathWord,
        offset: z.optional(z.int().check(z.gte(0), z.describe('First line, counted from 0. Default 0.'))),
        limit: z.optional(z.int().check(z.gte(1), z.describe('Number of lines. Default: all, up to 2 MiB.'))),
      }),
    ),
    answer: lazySchema(() => z.object({ success, content: z.string(), path: shownPath, displaySummary: summary })),
    failures: { 404: NO_FILE },
  },
  '/api/files/write': {
    meaning: 'Writes a file whole, with its folders. Files that make programs run, such as .git/hooks, are refused.',
    request: lazySchema(() => z.object({ sessionId: sessionIdWord, path: pathWord, content: z.string() })),
    answer: lazySchema(() => z.object({ success, path: shownPath, bytesWritten: z.int() })),
    failures: { 403: 'A protected file.', 404: NO_SESSION, 409: 'The file changed in the same moment.' },
  },
  '/api/files/search': {
    meaning: 'Lines that match a regular expression, in files that no ignore file leaves out. Case does not count.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdWord,
        pattern: z
          .string()
          .check(z.minLength(1), z.maxLength(10_000), z.describe('A regular expression for one line.')),
        path: z.optional(pathWord),
        maxResults: z.optional(z.int().check(z.gte(1), z.lte(10_000), z.describe('Default 100.'))),
      }),
    ),
    answer: lazySchema(() =>
      z.object({
        success,
        results: z.string().check(z.describe('One `path:line:text` a line.')),
        displaySummary: summary,
      }),
    ),
    failures: { 404: NO_FILE, 504: 'The pattern took too long.' },
  },
  '/api/files/list': {
    meaning: 'The names in a folder, sorted; folders end with /. Hidden files are listed, ignored ones are not.',
    request: lazySchema(() => z.object({ sessionId: sessionIdWord, path: words('A folder, as with files.') })),
    answer: lazySchema(() =>
      z.object({
        success,
        contents: z.string().check(z.describe('One name a line.')),
        path: shownPath,
        displaySummary: summary,
      }),
    ),
    failures: { 404: NO_FILE },
  },
} as const satisfies Record<string, ChatRoute>;
