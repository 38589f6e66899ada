import { compileGlob as compilePathGlob } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';

/** Decides about a path, given as its names from the folder that the pattern starts at. */
export type PathMatcher = (names: readonly string[]) => boolean;

const MAX_PATTERN_LENGTH = 1024;
const WILDCARD = /[*?[\]{}\\]|[@+!]\(/;

/** Whether a path can be more than a name. */
export function hasWildcard(path: string): boolean {
  return WILDCARD.test(path);
}

/**
 * Compiles a glob in the syntax of permission rules. Names that start with a dot match like others. Throws
 * `invalid_tool_input` for a pattern that is too long or that contains `..`.
 */
export function compileGlob(pattern: string): PathMatcher {
  if (pattern.length > MAX_PATTERN_LENGTH) throw new AgentError('invalid_tool_input', 'The glob pattern is too long.');
  if (/(?:^|[/{,(|])\.\.(?:[/},)|]|$)/.test(pattern)) {
    throw new AgentError('invalid_tool_input', 'A glob pattern must not contain "..".');
  }
  const matches = compilePathGlob(pattern);
  return (names) => matches(names.join('/'));
}

/** Compiles a glob that filters files. Without a slash it applies to the file name; with `!` before it, it excludes. */
export function compileFileFilter(pattern: string): PathMatcher {
  const isNegated = /^!(?!\()/.test(pattern);
  const body = isNegated ? pattern.slice(1) : pattern;
  const matches = compileGlob(body.includes('/') ? body.replace(/^\.?\//, '') : `**/${body}`);
  return isNegated ? (names) => !matches(names) : matches;
}

/** Splits a glob into the folder that it starts in, without wildcards, and the rest. */
export function splitGlob(pattern: string): { readonly folder: string; readonly rest: string } {
  const levels = pattern.split('/');
  const first = levels.findIndex(hasWildcard);
  const at = first === -1 ? levels.length - 1 : first;
  const folder = levels.slice(0, at).join('/');
  return { folder: folder === '' && pattern.startsWith('/') ? '/' : folder, rest: levels.slice(at).join('/') };
}
