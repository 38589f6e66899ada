import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Tool, ToolContext } from '@qwen/agent';
import { escapeHidden } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';
import { toFileError } from '../files/file-error.js';
import { realPathFor, toAbsolutePath } from '../paths/path-resolver.js';
import { cutLine } from '../truncate.js';
import { compileFileFilter } from './glob-pattern.js';
import { MAX_LINE_LENGTH, type SearchEngine } from './search-engine.js';

const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 2000;
const MAX_SEARCH_MS = 20_000;

export const grepInput = z.lazy(() =>
  z.object({
    pattern: z.string().check(z.minLength(1), z.describe('Regular expression, matched per line.')),
    path: z.optional(z.string().check(z.minLength(1), z.describe('File or folder. Default: the workspace.'))),
    glob: z.optional(z.string().check(z.minLength(1), z.describe('Only these files, e.g. *.{ts,tsx}'))),
    limit: z.optional(z.int().check(z.gte(1), z.describe(`Default ${DEFAULT_LIMIT}.`))),
  }),
);
type GrepInput = z.output<typeof grepInput>;

export function grepTool(findEngine: (project: string) => Promise<SearchEngine>): Tool<GrepInput> {
  return defineTool({
    name: 'grep_search',
    description: 'Search file contents, ignoring case. Files ignored by git are omitted. Results: path:line: text.',
    input: grepInput,
    paths: ({ path = '.' }, cwd) => [{ path: toAbsolutePath(path, cwd), access: 'read' }],
    async execute(call, context) {
      const root = toAbsolutePath(call.path ?? '.', context.cwd);
      const engine = await findEngine(context.cwd);
      const { lines, cuts } = await search(engine, call, { ...context, root });
      if (lines.length === 0 && cuts.length === 0) return { content: 'No matches.' };
      return { content: [...lines, ...cuts.map((cut) => `[truncated: ${cut}]`)].join('\n') };
    },
  });
}

async function search(engine: SearchEngine, call: GrepInput, context: ToolContext & { root: string }) {
  const limit = Math.min(call.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  const { root, signal: turn, isHidden } = context;
  const realPath = await realPathFor(root, context);
  const isFile = await stat(realPath).then(
    (stats) => !stats.isDirectory(),
    (error: unknown) => {
      throw toFileError(error, 'search', root);
    },
  );
  const folder = isFile ? dirname(realPath) : realPath;
  const shownFolder = isFile ? dirname(root) : root;
  const isWanted = call.glob === undefined ? () => true : compileFileFilter(call.glob);
  const deadline = AbortSignal.timeout(MAX_SEARCH_MS);
  const lines: string[] = [];
  const cuts: string[] = [];
  const matches = engine({
    folder,
    ...(isFile && { file: basename(realPath) }),
    pattern: call.pattern,
    accepts: (names) => isWanted(names) && isHidden?.(join(folder, ...names)) !== true,
    signal: AbortSignal.any([turn, deadline]),
    onCut: (reason) => cuts.push(reason),
  });
  for await (const { names, lines: found } of matches) {
    const path = escapeHidden(join(shownFolder, ...names));
    for (const { number, text } of found) {
      if (lines.length === limit) return { lines, cuts: [...cuts, `only the first ${limit} matches are shown`] };
      lines.push(`${path}:${number}: ${cutLine(text, MAX_LINE_LENGTH)}`);
    }
  }
  turn.throwIfAborted();
  if (deadline.aborted) cuts.push(`the search was stopped after ${MAX_SEARCH_MS / 1000} s`);
  return { lines, cuts };
}
