import { AgentError } from '@qwen/protocol';
import picomatch from 'picomatch';
import type { ResolvedPath } from '../ports.js';

/** Where rules are anchored. All absolute. */
export interface RuleAnchors {
  /** The workspace as it was named, and its real path. */
  readonly root: string;
  readonly realRoot: string;
  /** What `~/` stands for. */
  readonly home?: string;
  /** Where this program keeps its own files. */
  readonly ownFolder?: string;
}

/**
 * The path part of a rule. `covers` is for allow rules: the real path itself must fit. `touches` is for deny and ask
 * rules: either name of the file is enough (S33), and case and Unicode form do not matter (S37). A pattern that fits
 * a folder fits all that lies in it.
 */
export interface PathPattern {
  covers(path: ResolvedPath): boolean;
  touches(path: ResolvedPath): boolean;
  /** Whether an absolute pattern of a shell could expand to a file that it touches; when in doubt, yes. */
  mayTouch(pattern: string): boolean;
  /** Whether it names one file, without wildcards. */
  readonly isExact: boolean;
}

/** Longer patterns of a command are not tried. */
const MAX_PATTERN = 500;

interface Anchored {
  /** The folder from which the glob counts, as it was named and really. */
  readonly named: string;
  readonly real: string;
  readonly glob: string;
}

/** Reads the path part of a rule. Throws `usage` for `~/` when there is no home folder. */
export function createPathPattern(specifier: string, anchors: RuleAnchors): PathPattern {
  const { named, real, glob } = anchor(specifier, anchors);
  const isAnyDepth = !glob.includes('/') && !specifier.includes('/');
  const pattern = isAnyDepth ? `**/${glob}` : glob;
  const exactly = picomatch(pattern, { dot: true });
  const loosely = picomatch(fold(pattern), { dot: true, nocase: true });
  return {
    isExact: !isAnyDepth && !picomatch.scan(pattern).isGlob,
    covers: ({ realPath }) => fits(exactly, relativeTo(real, realPath)),
    touches: ({ path, realPath }) =>
      [path, realPath].some((name) =>
        isAnyDepth
          ? fits(loosely, fold(toSlashes(name).replace(/^\/+/, '')))
          : [named, real].some((base) => fits(loosely, foldOptional(relativeTo(base, name)))),
      ),
    mayTouch: (expanding) => {
      if (expanding.length > MAX_PATTERN || picomatch.scan(glob).isGlob) return true;
      const expands = picomatch(isAnyDepth ? baseOf(expanding) : expanding, { nocase: true });
      return isAnyDepth ? expands(glob) : [named, real].some((base) => expands(`${base}/${glob}`));
    },
  };
}

function anchor(specifier: string, { root, realRoot, home }: RuleAnchors): Anchored {
  if (specifier.startsWith('//')) return { named: '/', real: '/', glob: specifier.slice(2) };
  if (specifier.startsWith('~/')) {
    if (home === undefined) throw new AgentError('usage', `There is no home folder for the rule path ${specifier}`);
    return { named: home, real: home, glob: specifier.slice(2) };
  }
  return { named: root, real: realRoot, glob: specifier.replace(/^(?:\.\/)+|^\//, '') };
}

/** Whether the pattern fits the path or a folder above it. */
function fits(isMatch: (path: string) => boolean, path: string | undefined): boolean {
  if (path === undefined) return false;
  if (isMatch(path)) return true;
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (isMatch(path.slice(0, end))) return true;
  }
  return false;
}

/** The path below `base`, compared name by name (S31); undefined when it lies elsewhere. */
function relativeTo(base: string, path: string): string | undefined {
  const from = toSlashes(base).replace(/\/+$/, '');
  const to = toSlashes(path);
  if (to === from) return '';
  return to.startsWith(`${from}/`) ? to.slice(from.length + 1) : undefined;
}

/** Windows paths with `/`; a backslash elsewhere is part of a name. */
function toSlashes(path: string): string {
  return /^[A-Za-z]:[\\/]|^\\\\/.test(path) ? path.replaceAll('\\', '/') : path;
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function foldOptional(text: string | undefined): string | undefined {
  return text === undefined ? undefined : fold(text);
}
