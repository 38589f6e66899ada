import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { cutLine, findSearchEngine, MAX_LINE_LENGTH, type SearchEngine } from '@qwen/tools';
import { toFileFailure } from './file-failure.js';
import { ignoredNames } from './ignored-names.js';
import { isHidden, resolveVisible, toShownPath, type Workspace } from './workspace.js';

const DEFAULT_RESULTS = 100;
/** A malicious pattern may otherwise run forever. */
const MAX_SEARCH_MS = 5000;

export interface SearchFilesRequest {
  readonly pattern: string;
  readonly path?: string | undefined;
  readonly maxResults?: number | undefined;
  readonly signal: AbortSignal;
}

export interface SearchAnswer {
  /** One `path:line:text` per line. */
  readonly results: string;
  readonly displaySummary: string;
}

/**
 * Searches with the engine of the tools. Errors: those of {@link resolveVisible}; `file_not_found`; `invalid_tool_input`
 * for an invalid regular expression; `search_timeout`.
 */
export async function searchFiles(workspace: Workspace, request: SearchFilesRequest): Promise<SearchAnswer> {
  const { pattern, path = '.', maxResults = DEFAULT_RESULTS, signal } = request;
  const { path: named, realPath } = await resolveVisible(workspace, path);
  const isFolder = await stat(realPath).then(
    (stats) => stats.isDirectory(),
    (error: unknown) => {
      throw toFileFailure(error, 'search', path);
    },
  );
  const folder = isFolder ? realPath : dirname(realPath);
  const isIgnored = await ignoredNames(workspace, folder);
  const engine: SearchEngine = await findSearchEngine(folder);
  const deadline = AbortSignal.timeout(MAX_SEARCH_MS);
  let isCut = false;
  const matches = engine({
    folder,
    ...(!isFolder && { file: basename(realPath) }),
    pattern,
    accepts: () => true,
    signal: AbortSignal.any([signal, deadline]),
    onCut: () => {
      isCut = true;
    },
  });
  const shownFolder = isFolder ? named : dirname(named);
  const lines: string[] = [];
  const files = new Set<string>();
  search: for await (const { names, lines: hits } of matches) {
    // Ignore files do not apply to a file that the request names.
    if (isFolder && (await isIgnored(names, false))) continue;
    const found = { path: join(shownFolder, ...names), realPath: join(folder, ...names) };
    if (isHidden(workspace, found)) continue;
    const file = toShownPath(workspace, found.path);
    for (const { number, text } of hits) {
      isCut ||= lines.length === maxResults;
      if (lines.length === maxResults) break search;
      files.add(file);
      lines.push(`${file}:${number}:${cutLine(text, MAX_LINE_LENGTH)}`);
    }
  }
  signal.throwIfAborted();
  if (deadline.aborted)
    throw new AgentError('search_timeout', `The search took longer than ${MAX_SEARCH_MS / 1000} s.`);
  return { results: lines.join('\n'), displaySummary: toSummary(lines.length, files.size, isCut) };
}

function toSummary(matches: number, files: number, isCut: boolean): string {
  const found = `${matches} ${matches === 1 ? 'match' : 'matches'}`;
  const where = `${files} ${files === 1 ? 'file' : 'files'}`;
  return `Found ${found} across ${where}${isCut ? '; more were omitted' : ''}`;
}
