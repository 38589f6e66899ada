import { escapePath, isBlank, unescapePath } from '../references/path-characters.js';
import { isEscaped, isMentionSign } from '../references/read-mention.js';
import type { FileQuery, HintFiles, HintQuery } from './hint.js';
import type { Suggestions } from './slash-hints.js';

const MAX_SUGGESTIONS = 50;

export async function suggestFiles(
  query: HintQuery,
  files: HintFiles,
  search: Pick<FileQuery, 'signal' | 'onWait'>,
): Promise<Suggestions> {
  const { text, cursor, cwd } = query;
  const typed = typedReference(text, cursor);
  if (typed === undefined) return { suggestions: [], isPerfectMatch: false };
  const path = belowFolder(typed.path, cwd);
  const found = await files.search({ cwd, text: path, limit: MAX_SUGGESTIONS, ...search });
  return {
    suggestions: found.map((name) => ({ label: name, value: escapePath(name) })),
    isPerfectMatch: path !== '' && found.includes(path),
  };
}

export interface TypedReference {
  /** The text from `@` to the cursor, without quotes and escapes. */
  readonly path: string;
  /** Index after the `@`, in UTF-16 units; quotes are included. */
  readonly start: number;
}

export function typedReference(text: string, cursor: number): TypedReference | undefined {
  const before = text.slice(0, cursor);
  for (let at = before.lastIndexOf('@'); at !== -1; at = at === 0 ? -1 : before.lastIndexOf('@', at - 1)) {
    if (!isMentionSign(before, at)) continue;
    const start = at + 1;
    const typed = before.slice(start);
    const quoted = /^"((?:[^"\\\n]|\\.)*)$/.exec(typed);
    if (quoted !== null) return { path: (quoted[1] ?? '').replace(/\\(["\\])/g, '$1'), start };
    return hasOpenBlank(typed) ? undefined : { path: unescapePath(typed), start };
  }
  return undefined;
}

function hasOpenBlank(typed: string): boolean {
  for (let at = 0; at < typed.length; at += 1) {
    if (isBlank(typed[at] ?? '') && !isEscaped(typed, at)) return true;
  }
  return false;
}

function belowFolder(path: string, cwd: string): string {
  const folder = cwd.endsWith('/') ? cwd : `${cwd}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path.replace(/^(?:\.\/+)+/, '');
}
