import { escapePath, unescapePath } from '../references/escape-path.js';
import { isBlank } from '../references/path-characters.js';
import { isEscaped, isMentionSign } from '../references/read-mention.js';
import type { HintQuery } from './hint.js';
import type { FileQuery, HintFiles } from './hint-ports.js';
import type { Suggestions } from './slash-hints.js';

const MAX_SUGGESTIONS = 50;

/** The files and folders that the reference at the cursor could mean, the best first (G-19, G-20). */
export async function suggestFiles(
  query: HintQuery,
  files: HintFiles,
  search: Pick<FileQuery, 'signal' | 'onWait'>,
): Promise<Suggestions> {
  const { text, cursor, cwd } = query;
  const typed = typedReference(text, cursor);
  if (typed === undefined) return { suggestions: [], isPerfectMatch: false };
  const path = belowFolder(typed, cwd);
  const found = await files.search({ cwd, text: path, limit: MAX_SUGGESTIONS, ...search });
  return {
    suggestions: found.map((name) => ({ label: name, value: escapePath(name) })),
    isPerfectMatch: path !== '' && found.includes(path),
  };
}

/**
 * What was typed of the reference that the cursor stands in, without `@`, quotes and escapes; undefined when it stands
 * in none.
 */
export function typedReference(text: string, cursor: number): string | undefined {
  const before = text.slice(0, cursor);
  for (let at = before.lastIndexOf('@'); at !== -1; at = at === 0 ? -1 : before.lastIndexOf('@', at - 1)) {
    if (!isMentionSign(before, at)) continue;
    const typed = before.slice(at + 1);
    const quoted = /^"((?:[^"\\\n]|\\.)*)$/.exec(typed);
    if (quoted !== null) return (quoted[1] ?? '').replace(/\\(["\\])/g, '$1');
    return hasOpenBlank(typed) ? undefined : unescapePath(typed);
  }
  return undefined;
}

function hasOpenBlank(typed: string): boolean {
  for (let at = 0; at < typed.length; at += 1) {
    if (isBlank(typed[at] ?? '') && !isEscaped(typed, at)) return true;
  }
  return false;
}

/** The path as it is below the folder: people write `./` and whole paths too. */
function belowFolder(path: string, cwd: string): string {
  const folder = cwd.endsWith('/') ? cwd : `${cwd}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path.replace(/^(?:\.\/+)+/, '');
}
