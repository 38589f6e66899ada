import { lstat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Tool } from '@qwen/agent';
import { AgentError, escapeHidden } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';
import { toFileError } from '../files/file-error.js';
import { realPathFor, toAbsolutePath } from '../paths/path-resolver.js';
import { compileGlob, splitGlob } from './glob-pattern.js';
import { compareNames, walkFiles } from './walk.js';

const MAX_SHOWN = 200;
const MAX_ENTRIES = 200_000;
/** Each match costs a `stat`. */
const MAX_FOUND = 20_000;
const CONCURRENT_STATS = 64;

export const globInput = z.lazy(() =>
  z.object({
    pattern: z.string().check(z.minLength(1), z.describe('e.g. src/**/*.{ts,tsx}')),
    path: z.optional(z.string().check(z.minLength(1), z.describe('Folder. Default: the workspace.'))),
  }),
);
type GlobInput = z.output<typeof globInput>;

export function globTool(): Tool<GlobInput> {
  return defineTool({
    name: 'glob',
    description: 'Find files by path pattern, newest first. Files ignored by git are omitted.',
    input: globInput,
    paths: (call, cwd) => [{ path: startFolder(call, cwd).folder, access: 'read' }],
    async execute(call, context) {
      const beganAtMs = performance.now();
      const { folder, rest } = startFolder(call, context.cwd);
      const matches = compileGlob(rest);
      const root = await realPathFor(folder, context);
      await assertFolder(root, folder);
      const found: string[][] = [];
      const cuts: string[] = [];
      const files = walkFiles({
        root,
        signal: context.signal,
        maxEntries: MAX_ENTRIES,
        onCut: () => cuts.push(`only the first ${MAX_ENTRIES} files and folders were searched`),
      });
      for await (const { path, names } of files) {
        if (!matches(names) || context.isHidden?.(path) === true) continue;
        if (found.push([...names]) === MAX_FOUND) {
          cuts.push(`only the first ${MAX_FOUND} matches were considered`);
          break;
        }
      }
      context.signal.throwIfAborted();
      const countIsComplete = cuts.length === 0;
      if (found.length > MAX_SHOWN) cuts.push(`${MAX_SHOWN} of ${found.length} files are shown`);
      const newest = (await newestFirst(root, found)).slice(0, MAX_SHOWN);
      const filenames = newest.map((names) => join(folder, ...names));
      const structured = {
        durationMs: Math.round(performance.now() - beganAtMs),
        numFiles: filenames.length,
        filenames,
        truncated: cuts.length > 0,
        totalMatches: found.length,
        countIsComplete,
      };
      if (newest.length === 0 && cuts.length === 0) return { content: 'No files found.', structured };
      const lines = filenames.map((path) => escapeHidden(path));
      return { content: [...lines, ...cuts.map((cut) => `[truncated: ${cut}]`)].join('\n'), structured };
    },
  });
}

/** The folder before the first wildcard needs permission too. */
function startFolder({ pattern, path = '.' }: GlobInput, cwd: string): { folder: string; rest: string } {
  const { folder, rest } = splitGlob(pattern);
  if (rest === '') throw new AgentError('invalid_tool_input', 'glob: "pattern" must end with a name.');
  const start = isAbsolute(folder) ? folder : join(toAbsolutePath(path, cwd), folder);
  return { folder: toAbsolutePath(start, cwd), rest };
}

async function assertFolder(realPath: string, shown: string): Promise<void> {
  try {
    if ((await lstat(realPath)).isDirectory()) return;
  } catch (error) {
    throw toFileError(error, 'search', shown);
  }
  throw new AgentError('tool_failed', `${escapeHidden(shown)} is not a directory.`);
}

async function newestFirst(root: string, found: readonly string[][]): Promise<string[][]> {
  const dated: { names: string[]; key: string; modifiedMs: number }[] = [];
  for (let start = 0; start < found.length; start += CONCURRENT_STATS) {
    const batch = found.slice(start, start + CONCURRENT_STATS).map(async (names) => {
      const stats = await lstat(join(root, ...names)).catch(() => undefined);
      return { names, key: names.join('/'), modifiedMs: stats?.mtimeMs ?? 0 };
    });
    dated.push(...(await Promise.all(batch)));
  }
  dated.sort((a, b) => b.modifiedMs - a.modifiedMs || compareNames(a.key, b.key));
  return dated.map(({ names }) => names);
}
