import { AgentError } from '@qwen/protocol';
import { compileGlob, foldCase, literalText } from '../glob/compile-glob.js';
import { unsupportedRange } from '../glob/parse-glob.js';
import type { ResolvedPath } from '../ports.js';

export interface RuleAnchors {
  readonly root: string;
  readonly realRoot: string;
  readonly home?: string;
  readonly realHome?: string;
  /** The data directory of this program. */
  readonly dataDir?: string;
  readonly realDataDir?: string;
}

/** A glob as in {@link compileGlob}; `!` before it inverts it. A folder includes everything in it. */
export interface PathPattern {
  /** For allow rules: the real path must match. */
  covers(path: ResolvedPath): boolean;
  /** For deny and ask rules: either name of the file, in any case and Unicode form. */
  touches(path: ResolvedPath): boolean;
  /** Whether a shell glob could expand to a file that the rule touches; true in doubt. */
  mayTouch(pattern: string): boolean;
  readonly isExact: boolean;
}

const MAX_PATTERN = 500;

interface AnchoredGlob {
  readonly named: string;
  readonly real: string;
  readonly glob: string;
}

/** Throws `usage` for `~/` without a home folder, and for a range that would match as text: a deny rule must not. */
export function createPathPattern(specifier: string, anchors: RuleAnchors): PathPattern {
  const range = unsupportedRange(specifier);
  if (range !== undefined) {
    const advice = 'Use up to 1,000 numbers or single letters, or escape the brace with a backslash.';
    throw new AgentError('usage', `Unsupported range ${range} in the rule path ${specifier}. ${advice}`);
  }
  const { named, real, glob: written } = anchor(specifier, anchors);
  const glob = written === '' ? '**' : written;
  const isAnyDepth = !glob.includes('/') && !specifier.includes('/');
  const pattern = isAnyDepth ? `**/${glob}` : glob;
  const matches = compilePath(pattern, false);
  const readings = [...new Set([pattern, earlierReading(pattern)])].map((reading) => compilePath(reading, true));
  const touchesFolded = (path: string | undefined) =>
    path !== undefined && readings.some((reading) => reading(foldCase(path)));
  const literal = literalText(glob);
  return {
    isExact: !isAnyDepth && literal !== undefined,
    covers: ({ realPath }) => {
      const path = relativeTo(real, realPath);
      return path !== undefined && matches(path);
    },
    touches: ({ path, realPath }) =>
      [path, realPath].some((name) =>
        isAnyDepth
          ? touchesFolded(toSlashes(name).replace(/^\/+/, ''))
          : [named, real].some((base) => touchesFolded(relativeTo(base, name))),
      ),
    mayTouch: (expanding) => {
      // Quotes are gone here, so what looks like a group may be text.
      if (literal === undefined || expanding.length > MAX_PATTERN || /[@?*+!]\(|[{\\]/.test(expanding)) return true;
      const shell = compileGlob(isAnyDepth ? baseOf(expanding) : expanding, { ignoreCase: true, dotFiles: false });
      return isAnyDepth
        ? shell(foldCase(literal))
        : [named, real].some((base) => shell(foldCase(`${base}/${literal}`)));
    },
  };
}

function anchor(specifier: string, { root, realRoot, home, realHome }: RuleAnchors): AnchoredGlob {
  if (specifier.startsWith('//')) return { named: '/', real: '/', glob: specifier.slice(2) };
  if (specifier.startsWith('~/')) {
    if (home === undefined) throw new AgentError('usage', `There is no home folder for the rule path ${specifier}`);
    return { named: home, real: realHome ?? home, glob: specifier.slice(2) };
  }
  return { named: root, real: realRoot, glob: specifier.replace(/^(?:\.\/)+|^\//, '') };
}

/** The anchor itself never matches. */
function compilePath(pattern: string, ignoreCase: boolean): (path: string) => boolean {
  const marks = /^(?:!(?!\())*/.exec(pattern)?.[0].length ?? 0;
  const glob = pattern.slice(marks);
  if (marks % 2 === 0) {
    const matches = compileGlob(glob, { ignoreCase, includeBelow: true });
    return (path) => path !== '' && matches(path);
  }
  const matches = compileGlob(glob, { ignoreCase });
  return (path) => path !== '' && ancestors(path).some((name) => !matches(name));
}

function ancestors(path: string): string[] {
  const names = path.split('/');
  return names.map((_name, index) => names.slice(0, index + 1).join('/'));
}

/**
 * Up to 0.1, `(a|b)` was a group, `+` after a bracket a quantifier, and `[!a]` a set with `!`. Deny and ask rules
 * still match that too.
 */
function earlierReading(pattern: string): string {
  return pattern
    .replaceAll(/(?<![@?*+!\\])\(/g, '@(')
    .replaceAll(/([\])}])\+(?!\()/g, '$1*')
    .replaceAll('[!', String.raw`[\!`);
}

function relativeTo(base: string, path: string): string | undefined {
  const from = toSlashes(base).replace(/\/+$/, '');
  const to = toSlashes(path);
  if (to === from) return '';
  return to.startsWith(`${from}/`) ? to.slice(from.length + 1) : undefined;
}

/** Only in Windows paths: elsewhere, a backslash is part of a name. */
function toSlashes(path: string): string {
  return /^[A-Za-z]:[\\/]|^\\\\/.test(path) ? path.replaceAll('\\', '/') : path;
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
