import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { type ChatRoute, NO_SESSION, nonEmptyText, pathField, sessionIdField } from './chat-api-fields.js';

const success = z.literal(true);
const NO_FILE = 'The session, file or folder does not exist.';
const shownPath = z.string().check(z.describe('The path as requested.'));
const summary = z.string().check(z.describe('A one-line summary to display.'));

export const FILE_ROUTES = {
  '/api/files/read': {
    scope: 'read',
    meaning: 'Reads a file, or some of its lines.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdField,
        path: pathField,
        offset: z.optional(z.int().check(z.gte(0), z.describe('The first line to return, counted from 0. Default 0.'))),
        limit: z.optional(z.int().check(z.gte(1), z.describe('Number of lines. Default: all, up to 2 MiB.'))),
      }),
    ),
    response: lazySchema(() => z.object({ success, content: z.string(), path: shownPath, displaySummary: summary })),
    failures: { 404: NO_FILE },
  },
  '/api/files/write': {
    scope: 'write',
    meaning:
      'Writes a whole file and creates missing folders. Files that make programs run, such as `.git/hooks`, are refused.',
    request: lazySchema(() => z.object({ sessionId: sessionIdField, path: pathField, content: z.string() })),
    response: lazySchema(() => z.object({ success, path: shownPath, bytesWritten: z.int() })),
    failures: {
      403: 'The file is protected.',
      404: NO_SESSION,
      409: 'The file was changed by another writer at the same time.',
    },
  },
  '/api/files/search': {
    scope: 'read',
    meaning: 'Finds lines that match a regular expression, ignoring case. Ignored files are skipped.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdField,
        pattern: z
          .string()
          .check(z.minLength(1), z.maxLength(10_000), z.describe('A regular expression, matched against each line.')),
        path: z.optional(pathField),
        maxResults: z.optional(z.int().check(z.gte(1), z.lte(10_000), z.describe('Default 100.'))),
      }),
    ),
    response: lazySchema(() =>
      z.object({
        success,
        results: z.string().check(z.describe('One `path:line:text` per line.')),
        displaySummary: summary,
      }),
    ),
    failures: { 404: NO_FILE, 504: 'The pattern took too long.' },
  },
  '/api/files/list': {
    scope: 'read',
    meaning:
      'Lists the names in a folder, sorted; names of folders end with `/`. Hidden files are included, ignored files are not.',
    request: lazySchema(() =>
      z.object({ sessionId: sessionIdField, path: nonEmptyText('The folder, as a path like those of files.') }),
    ),
    response: lazySchema(() =>
      z.object({
        success,
        contents: z.string().check(z.describe('One name per line.')),
        path: shownPath,
        displaySummary: summary,
      }),
    ),
    failures: { 404: NO_FILE },
  },
} as const satisfies Record<string, ChatRoute>;
