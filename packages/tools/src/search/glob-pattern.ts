import { compileGlob as compilePathGlob } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';

/** Takes the names of a path from the start of the pattern. */
export type PathMatcher = (names: readonly string[]) => boolean;

const MAX_PATTERN_LENGTH = 1024;
const WILDCARD = /[*?[\]{}\\]|[@+!]\(/;

export function hasWildcard(path: string): boolean {
  return WILDCARD.test(path);
}

/** In the syntax of permission rules. Throws `invalid_tool_input` if it is too long or contains `..`. */
export function compileGlob(pattern: string): PathMatcher {
  if (pattern.length > MAX_PATTERN_LENGTH) throw new AgentError('invalid_tool_input', 'The glob pattern is too long.');
  if (/(?:^|[/{,(|])\.\.(?:[/},)|]|$)/.test(pattern)) {
    throw new AgentError('invalid_tool_input', 'A glob pattern must not contain "..".');
  }
  const matches = compilePathGlob(pattern);
  return (names) => matches(names.join('/'));
}

/** Without a slash, it applies to the file name; a leading `!` excludes. */
export function compileFileFilter(pattern: string): PathMatcher {
  const isNegated = /^!(?!\()/.test(pattern);
  const body = isNegated ? pattern.slice(1) : pattern;
  const matches = compileGlob(body.includes('/') ? body.replace(/^\.?\//, '') : `**/${body}`);
  return isNegated ? (names) => !matches(names) : matches;
}

export function splitGlob(pattern: string): { readonly folder: string; readonly rest: string } {
  const levels = pattern.split('/');
  const first = levels.findIndex(hasWildcard);
  const at = first === -1 ? levels.length - 1 : first;
  const folder = levels.slice(0, at).join('/');
  return { folder: folder === '' && pattern.startsWith('/') ? '/' : folder, rest: levels.slice(at).join('/') };
}
