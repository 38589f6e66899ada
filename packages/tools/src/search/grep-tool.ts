import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Tool, ToolContext } from '@qwen/agent';
import { isInside } from '@qwen/agent/node';
import { escapeHidden, type ToolResultOf } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';
import { openFile } from '../files/anchored-open.js';
import { toFileError } from '../files/file-error.js';
import { decodeText } from '../files/text-encoding.js';
import { realPathFor, toAbsolutePath } from '../paths/path-resolver.js';
import { cutLine } from '../truncate.js';
import { compileFileFilter } from './glob-pattern.js';
import { type FileMatches, MAX_LINE_LENGTH, type SearchEngine } from './search-engine.js';

const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 2000;
const MAX_CONTEXT = 20;
const MAX_SEARCH_MS = 20_000;

export const grepInput = z.lazy(() =>
  z.object({
    pattern: z.string().check(z.minLength(1), z.describe('Regular expression, matched per line.')),
    path: z.optional(z.string().check(z.minLength(1), z.describe('File or folder. Default: the workspace.'))),
    glob: z.optional(z.string().check(z.minLength(1), z.describe('Only these files, e.g. *.{ts,tsx}'))),
    context: z.optional(
      z.int().check(z.gte(0), z.lte(MAX_CONTEXT), z.describe('Lines to show before and after each match.')),
    ),
    case_sensitive: z.optional(z.boolean()),
    files_only: z.optional(z.boolean().check(z.describe('Only the names of files with matches.'))),
    limit: z.optional(z.int().check(z.gte(1), z.describe(`Default ${DEFAULT_LIMIT}.`))),
  }),
);
type GrepInput = z.output<typeof grepInput>;

export function grepTool(findEngine: (project: string) => Promise<SearchEngine>): Tool<GrepInput> {
  return defineTool({
    name: 'grep_search',
    description: 'Search file contents, ignoring case. Files ignored by git are omitted. Results: path:line: text.',
    input: grepInput,
    adapt: withGrepOptions,
    paths: ({ path = '.' }, cwd) => [{ path: toAbsolutePath(path, cwd), access: 'read' }],
    async execute(call, context) {
      const root = toAbsolutePath(call.path ?? '.', context.cwd);
      const engine = await findEngine(context.cwd);
      const { lines, cuts, filenames, numMatches } = await search(engine, call, { ...context, root });
      const isContent = call.files_only !== true;
      const structured: ToolResultOf<'grep_search'> = {
        mode: isContent ? 'content' : 'files_with_matches',
        numFiles: filenames.length,
        filenames,
        ...(isContent && { content: lines.join('\n'), numLines: lines.length, numMatches }),
        truncated: cuts.length > 0,
      };
      if (lines.length === 0 && cuts.length === 0) return { content: 'No matches.', structured };
      return { content: [...lines, ...cuts.map((cut) => `[truncated: ${cut}]`)].join('\n'), structured };
    },
  });
}

/** Options of the program grep, which models know: `-C`, `-A`, `-B`, `-i`, `output_mode`. */
function withGrepOptions(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const around = ['-C', '-A', '-B'].map((name) => Number(input[name] ?? 0)).filter((count) => count > 0);
  return {
    ...(around.length > 0 && { context: Math.min(Math.max(...around), MAX_CONTEXT) }),
    ...(typeof input['-i'] === 'boolean' && { case_sensitive: !input['-i'] }),
    ...(input['output_mode'] === 'files_with_matches' && { files_only: true }),
    ...input,
  };
}

async function search(engine: SearchEngine, call: GrepInput, context: ToolContext & { root: string }) {
  const limit = Math.min(call.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
  const { root, cwd, signal: turn, isHidden } = context;
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
    isCaseSensitive: call.case_sensitive === true,
    accepts: (names) => isWanted(names) && isHidden?.(join(folder, ...names)) !== true,
    signal: AbortSignal.any([turn, deadline]),
    onCut: (reason) => cuts.push(reason),
  });
  const filenames: string[] = [];
  let [count, numMatches] = [0, 0];
  for await (const { names, lines: found } of matches) {
    const filename = shownPath(join(shownFolder, ...names), cwd);
    const path = escapeHidden(filename);
    const kept = found.slice(0, limit - count);
    numMatches += kept.length;
    if (kept.length > 0) {
      filenames.push(filename);
      if (call.files_only === true) lines.push(path);
      else if (!call.context) lines.push(...kept.map((line) => shownLine(path, line, ':')));
      else
        lines.push(...(await linesAround({ file: join(folder, ...names), path, found: kept, around: call.context })));
    }
    count += call.files_only === true ? 1 : found.length;
    if (count > limit || (call.files_only !== true && kept.length < found.length)) {
      const what = call.files_only === true ? 'files' : 'matches';
      return {
        lines: lines.slice(0, call.files_only === true ? limit : undefined),
        cuts: [...cuts, `only the first ${limit} ${what} are shown`],
        filenames,
        numMatches,
      };
    }
  }
  turn.throwIfAborted();
  if (deadline.aborted) cuts.push(`the search was stopped after ${MAX_SEARCH_MS / 1000} s`);
  return { lines, cuts, filenames, numMatches };
}

/** Relative to the workspace, if it is inside. */
function shownPath(path: string, cwd: string): string {
  return isInside(path, cwd) ? relative(cwd, path) : path;
}

type FoundLine = FileMatches['lines'][number];

function shownLine(path: string, { number, text }: FoundLine, mark: ':' | '-'): string {
  return `${path}${mark}${number}${mark} ${cutLine(text, MAX_LINE_LENGTH)}`;
}

interface MatchContext {
  readonly file: string;
  readonly path: string;
  readonly found: readonly FoundLine[];
  readonly around: number;
}

async function linesAround({ file, path, found, around }: MatchContext): Promise<readonly string[]> {
  const all = await readLines(file);
  const shown: string[] = [];
  let last = 0;
  for (const [index, match] of found.entries()) {
    const first = Math.max(match.number - around, last + 1);
    if (last > 0 && first > last + 1) shown.push('--');
    for (let number = first; number < match.number; number += 1) {
      shown.push(shownLine(path, { number, text: all[number - 1] ?? '' }, '-'));
    }
    shown.push(shownLine(path, match, ':'));
    const next = found[index + 1]?.number ?? Number.POSITIVE_INFINITY;
    last = Math.min(match.number + around, next - 1, all.length);
    for (let number = match.number + 1; number <= last; number += 1) {
      shown.push(shownLine(path, { number, text: all[number - 1] ?? '' }, '-'));
    }
    last = Math.max(last, match.number);
  }
  return shown;
}

async function readLines(path: string): Promise<readonly string[]> {
  try {
    await using file = await openFile(path);
    const text = decodeText(await file.handle.readFile())?.text ?? '';
    return text.replace(/\r?\n$/, '').split(/\r?\n/);
  } catch {
    return [];
  }
}
