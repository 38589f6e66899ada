import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { isInside } from '../paths/path-resolver.js';
import { controlFiles, exposedPaths, hiddenPaths, type SandboxPolicy } from './policy.js';

export interface Mount {
  /** `hide`: neither readable nor writable. `empty`: an empty folder in memory. */
  readonly kind: 'write' | 'read' | 'hide' | 'empty';
  readonly path: string;
  readonly isFolder: boolean;
  /** What is below `hide` and stays readable. */
  readonly exposed?: readonly string[];
}

/** A control file that cannot be mounted: it is missing, or a link. */
export interface Watched {
  readonly path: string;
  /** The target of the link. Undefined: it is missing. */
  readonly target: string | undefined;
}

export interface SandboxView {
  /** Later ones apply on top of earlier ones. */
  readonly mounts: readonly Mount[];
  readonly watched: readonly Watched[];
}

/** Folders with sockets and secrets of services; a private one replaces each. */
const RUNTIME_FOLDERS = ['/run', '/var/run'];
const RUNTIME_PROGRAMS = ['/run/current-system', '/run/booted-system', '/run/opengl-driver', '/run/wrappers'];

/** Reads the present state of the file system: the same policy may lead to other mounts for the next command. */
export function viewOf(policy: SandboxPolicy, temporaryFolders: readonly string[]): SandboxView {
  const isReadOnly = policy.mode === 'read-only';
  const roots = present(policy.roots);
  const writable = isReadOnly ? [] : [...roots, ...present(policy.allowWrite)];
  const shown = [...roots, ...writable];
  assertConfinable(shown, policy);
  if (!isReadOnly) roots.forEach(assertNoGitFolder);
  const runtime = RUNTIME_FOLDERS.filter((path) => isRealFolder(path));
  const replaced = [...temporaryFolders, ...runtime];
  const isShown = (path: string) => isInsideAny(path, shown) || !isInsideAny(path, replaced);
  const watched: Watched[] = [];
  const protectedPaths = present(policy.denyWrite);
  for (const path of policy.denyWrite) {
    const isMissing = lstatSync(path, { throwIfNoEntry: false }) === undefined;
    if (isMissing && isInsideAny(path, writable)) watched.push({ path, target: undefined });
  }
  const home = present([policy.homeDirectory]).filter((path) => isInsideAny(path, writable));
  for (const root of new Set([...writable, ...home])) {
    const controls = controlsOf(root, policy);
    protectedPaths.push(...controls.real);
    watched.push(...controls.watched);
  }
  const hidden = withoutInner(present([...hiddenPaths(policy), ...socketsOutside(policy, shown)]).filter(isShown));
  const exposed = present(exposedPaths(policy));
  const guarded = [
    ...protectedPaths
      .filter((path) => isShown(path) && !isInsideAny(path, hidden))
      .map((path) => mountOf('read', path)),
    ...hidden.map((path) => ({ ...mountOf('hide', path), exposed: exposed.filter((inside) => isBelow(inside, path)) })),
  ];
  const repositories = writable.map((root) => join(root, '.git')).filter(isRealFolder);
  const pins = [...repositories, ...guarded.flatMap(({ path }) => parentsBelow(path, writable))].filter(
    (parent) => !guarded.some(({ path }) => isInside(parent, path)),
  );
  return {
    mounts: [
      ...runtime.map((path) => mountOf('empty', path)),
      ...present(RUNTIME_PROGRAMS).map((path) => mountOf('read', path)),
      ...byDepth([...new Set(shown)].map((path) => mountOf(isReadOnly ? 'read' : 'write', path))),
      ...byDepth([...[...new Set(pins)].map((path) => mountOf('write', path)), ...guarded]),
    ],
    watched,
  };
}

function withoutInner(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => isBelow(path, other)));
}

function socketsOutside({ allowUnixSockets }: SandboxPolicy, shown: readonly string[]): string[] {
  const allowed = new Set(present(allowUnixSockets));
  return boundSockets().filter((path) => !isInsideAny(path, shown) && !allowed.has(path));
}

/** A parent must come before its children; at the same depth, `hide` wins because it comes last. */
function byDepth(mounts: readonly Mount[]): Mount[] {
  const order = { empty: 0, write: 1, read: 2, hide: 3 };
  return mounts.toSorted((a, b) => depthOf(a.path) - depthOf(b.path) || order[a.kind] - order[b.kind]);
}

function depthOf(path: string): number {
  return path.split(sep).length;
}

function assertConfinable(roots: readonly string[], policy: SandboxPolicy): void {
  for (const root of roots) {
    if (root === '/') {
      throw new AgentError(
        'sandbox_unavailable',
        'The sandbox cannot confine commands to the root of the file system. Start in a folder of the project.',
      );
    }
    const secret = present(hiddenPaths(policy)).find((path) => isInside(root, path));
    if (secret !== undefined) {
      throw new AgentError(
        'sandbox_unavailable',
        `The sandbox cannot confine commands to ${root}: it is below ${secret}, which it hides. Start in another folder.`,
      );
    }
  }
}

/** Its settings and hooks are not in a folder `.git`. */
function assertNoGitFolder(root: string): void {
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    if (!['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)))) continue;
    throw new AgentError(
      'sandbox_unavailable',
      `The sandbox cannot confine commands to ${root}: it belongs to a git folder. Start in a folder with the files of the project.`,
    );
  }
}

function controlsOf(root: string, { homeDirectory }: SandboxPolicy): { real: string[]; watched: Watched[] } {
  const isRepository = isRealFolder(join(root, '.git'));
  const real: string[] = [];
  const watched: Watched[] = [];
  const names = controlFiles(root === homeDirectory, isRepository);
  for (const path of [...names.map((name) => join(root, name)), ...hookFolders(root)]) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) watched.push({ path, target: undefined });
    else if (stats.isSymbolicLink()) watched.push({ path, target: readlinkSync(path) });
    if (stats !== undefined) real.push(...present([path]));
  }
  return { real, watched };
}

/** Hooks that the repository keeps elsewhere. */
function hookFolders(root: string): string[] {
  try {
    const settings = readFileSync(join(root, '.git/config'), 'utf8');
    return [...settings.matchAll(/^\s*hooksPath\s*=\s*"?([^"\n]+?)"?\s*$/gim)]
      .map(([, path = '']) => resolve(root, path))
      .filter((path) => isBelow(path, root));
  } catch {
    return [];
  }
}

/** The folders between a writable one and this path: renaming one would move the mount away. */
function parentsBelow(path: string, writable: readonly string[]): string[] {
  const parents: string[] = [];
  for (let folder = dirname(path); writable.some((root) => isBelow(folder, root)); folder = dirname(folder))
    parents.push(folder);
  return parents;
}

function isBelow(path: string, folder: string): boolean {
  return path !== folder && isInside(path, folder);
}

function isInsideAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isInside(path, folder));
}

function present(paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => {
    try {
      return [realpathSync.native(path)];
    } catch {
      return [];
    }
  });
  return [...new Set(found)];
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function mountOf(kind: Mount['kind'], path: string): Mount {
  return { kind, path, isFolder: statSync(path, { throwIfNoEntry: false })?.isDirectory() === true };
}

function boundSockets(): string[] {
  let table: string;
  try {
    table = readFileSync('/proc/net/unix', 'utf8');
  } catch {
    return [];
  }
  const paths = table.split('\n').flatMap((line) => /^\S+ \S+ \S+ \S+ \S+ \S+ +\d+ (\/.*)$/.exec(line)?.slice(1) ?? []);
  return present(paths).filter((path) => statSync(path, { throwIfNoEntry: false })?.isSocket() === true);
}
