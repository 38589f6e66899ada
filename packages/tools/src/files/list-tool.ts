import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tool } from '@qwen/agent';
import { escapeHidden } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';
import { realPathFor, toAbsolutePath } from '../paths/path-resolver.js';
import { compileFileFilter } from '../search/glob-pattern.js';
import { IgnoreCheck } from '../search/ignore-check.js';
import { compareNames } from '../search/walk.js';
import { toFileError } from './file-error.js';

const MAX_SHOWN = 1000;

export const listInput = z.lazy(() =>
  z.object({
    path: z.string().check(z.minLength(1)),
    ignore: z.optional(z.array(z.string()).check(z.describe('Globs of names to omit.'))),
  }),
);

export function listTool(): Tool<z.output<typeof listInput>> {
  return defineTool({
    name: 'list_directory',
    description: 'List a folder; folders end with /, links with @. Names ignored by git are omitted.',
    input: listInput,
    adapt: ({ path, ...others }) => ({
      ...others,
      path: path === undefined || path === null || path === '' ? '.' : path,
    }),
    paths: ({ path }, cwd) => [{ path: toAbsolutePath(path, cwd), access: 'read' }],
    async execute({ path, ignore = [] }, context) {
      const folder = toAbsolutePath(path, context.cwd);
      const realPath = await realPathFor(folder, context);
      const unwanted = ignore.map(compileFileFilter);
      const entries = await readdir(realPath, { withFileTypes: true }).catch((error: unknown) => {
        throw toFileError(error, 'list', folder);
      });
      const check = new IgnoreCheck(realPath);
      const kept: Dirent[] = [];
      for (const entry of entries) {
        if (unwanted.some((matches) => matches([entry.name]))) continue;
        const isIgnored = await check.ignores([entry.name], entry.isDirectory());
        if (!isIgnored && context.isHidden?.(join(realPath, entry.name)) !== true) kept.push(entry);
      }
      kept.sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || compareNames(a.name, b.name));
      const lines = kept.slice(0, MAX_SHOWN).map(toLine);
      if (lines.length < kept.length) lines.push(`[truncated: ${MAX_SHOWN} of ${kept.length} names are shown]`);
      if (kept.length < entries.length) lines.push(`[${entries.length - kept.length} ignored names are not shown]`);
      return {
        content: lines.length === 0 ? '[the folder is empty]' : lines.join('\n'),
        structured: {
          path: folder,
          entries: kept.slice(0, MAX_SHOWN).map((entry) => ({ name: entry.name, type: typeOf(entry) })),
          truncated: kept.length > MAX_SHOWN,
          numIgnored: entries.length - kept.length,
        },
      };
    },
  });
}

function typeOf(entry: Dirent) {
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : 'other';
}

function toLine(entry: Dirent): string {
  const end = entry.isDirectory() ? '/' : entry.isSymbolicLink() ? '@' : '';
  const note = hasLostBytes(entry.name) ? ' [the name is not UTF-8]' : '';
  return `${escapeHidden(entry.name)}${end}${note}`;
}

/** The file cannot be opened by its shown name. */
function hasLostBytes(name: string): boolean {
  return name.includes('\ufffd');
}
