import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { WORKSPACE_FILE_SUFFIX } from '@qwen/agent';
import { isInside, realPathOf } from '@qwen/agent/node';
import { AgentError } from '@qwen/protocol';
import { boundSockets } from './bound-sockets.js';
import { configuredFiles, gitFolder, type LinkedGit, linkedGit } from './git-files.js';
import { controlFiles, exposedPaths, GIT_CONTROL_FILES, hiddenPaths, type SandboxPolicy } from './policy.js';

export interface Mount {
  /** `hide`: neither readable nor writable. `empty`: an empty folder in memory. */
  readonly kind: 'write' | 'read' | 'hide' | 'empty';
  readonly path: string;
  readonly isFolder: boolean;
  /** Paths below `hide` that stay readable. */
  readonly exposed?: readonly string[];
}

/** A control file that cannot be mounted: it is missing, or a link. No folder above it is a link. */
export interface Watched {
  readonly path: string;
  readonly target: string | undefined;
}

export interface SandboxView {
  /** Later ones apply on top of earlier ones. */
  readonly mounts: readonly Mount[];
  readonly watched: readonly Watched[];
  /** Writable folders of git. A new link in them would lead git outside to other files. */
  readonly repositories: readonly string[];
}

/** Folders with sockets and secrets of services; a private one replaces each. */
const RUNTIME_FOLDERS = ['/run', '/var/run'];
const RUNTIME_PROGRAMS = ['/run/current-system', '/run/booted-system', '/run/opengl-driver', '/run/wrappers'];

/** Reads the present state of the file system: the same policy may lead to other mounts for the next command. */
export function viewOf(policy: SandboxPolicy, temporaryFolders: readonly string[]): SandboxView {
  const isReadOnly = policy.mode === 'read-only';
  const roots = present(policy.roots);
  const linked = isReadOnly ? [] : linkedRepositories(roots, policy);
  const writable = isReadOnly ? [] : [...roots, ...present(policy.allowWrite), ...linked.map(({ common }) => common)];
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
    if (isMissing && isInsideAny(path, writable)) watched.push({ path: realParents(path), target: undefined });
  }
  const home = present([policy.homeDirectory]).filter((path) => isInsideAny(path, writable));
  for (const root of new Set([...writable, ...home])) {
    const controls = controlsOf(root, policy, writable);
    protectedPaths.push(...controls.real);
    watched.push(...controls.watched);
  }
  for (const { common, own } of linked) {
    const controls = existing([common, own].flatMap((folder) => GIT_CONTROL_FILES.map((name) => join(folder, name))));
    protectedPaths.push(...controls.real);
    watched.push(...controls.watched);
  }
  const isOutside = (path: string) => !isInsideAny(path, [...shown, ...replaced]);
  const hidden = withoutInner(present([...hiddenPaths(policy), ...socketsOutside(policy, isOutside)]).filter(isShown));
  const exposed = present(exposedPaths(policy));
  const guarded = [
    ...protectedPaths
      .filter((path) => isShown(path) && !isInsideAny(path, hidden))
      .map((path) => mountOf('read', path)),
    ...hidden.map((path) => ({ ...mountOf('hide', path), exposed: exposed.filter((inside) => isBelow(inside, path)) })),
  ];
  const repositories = [...writable.map(gitFolder), ...linked.map(({ common }) => common)].filter(
    (path) => isRealFolder(path) && isInsideAny(path, writable),
  );
  const pins = [...repositories, ...guarded.flatMap(({ path }) => parentsBelow(path, writable))].filter(
    (parent) => !guarded.some(({ path }) => isInside(parent, path)),
  );
  pins.push(...linked.map(({ own }) => own));
  return {
    mounts: [
      ...runtime.map((path) => mountOf('empty', path)),
      ...present(RUNTIME_PROGRAMS).map((path) => mountOf('read', path)),
      ...byDepth([...new Set(shown)].map((path) => mountOf(isReadOnly ? 'read' : 'write', path))),
      ...byDepth([...[...new Set(pins)].map((path) => mountOf('write', path)), ...guarded]),
    ],
    watched: watched.filter(({ path }) => isInsideAny(path, writable)),
    repositories,
  };
}

function withoutInner(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => isBelow(path, other)));
}

function socketsOutside({ allowUnixSockets }: SandboxPolicy, isVisible: (path: string) => boolean): string[] {
  const allowed = new Set(present(allowUnixSockets));
  return present(boundSockets(isVisible)).filter(
    (path) => isVisible(path) && !allowed.has(path) && statSync(path, { throwIfNoEntry: false })?.isSocket(),
  );
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

/** Such a repository has its settings and hooks outside of `.git`. */
function assertNoGitFolder(root: string): void {
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    if (!['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)))) continue;
    throw new AgentError(
      'sandbox_unavailable',
      `The sandbox cannot confine commands to ${root}: it belongs to a git folder. Start in a folder with the files of the project.`,
    );
  }
}

function controlsOf(root: string, { homeDirectory }: SandboxPolicy, writable: readonly string[]) {
  const isRepository = isRealFolder(join(root, '.git'));
  const workspaceFiles = readdirSync(root).filter((name) => name.endsWith(WORKSPACE_FILE_SUFFIX));
  const names = [...controlFiles(root === homeDirectory, isRepository), ...workspaceFiles];
  const { files, links } = configuredFiles({ root, homeDirectory });
  const configured = files.filter((path) => writable.some((folder) => isBelow(path, folder)));
  const { real, watched } = existing([...names.map((name) => join(root, name)), ...configured]);
  const watchedLinks = links.map((path) => ({ path, target: readlinkSync(path) }));
  return { real, watched: [...watched, ...watchedLinks] };
}

function existing(paths: readonly string[]): { real: string[]; watched: Watched[] } {
  const real: string[] = [];
  const watched: Watched[] = [];
  for (const path of paths) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) watched.push({ path: realParents(path), target: undefined });
    else if (stats.isSymbolicLink()) watched.push({ path: realParents(path), target: readlinkSync(path) });
    if (stats !== undefined) real.push(...present([path]));
  }
  return { real, watched };
}

function realParents(path: string): string {
  const parent = dirname(path);
  const [real = parent === path ? path : realParents(parent)] = present([parent]);
  return join(real, basename(path));
}

/** Hides these folders wherever mounts show them. */
export function withHidden(mounts: readonly Mount[], folders: readonly string[]): Mount[] {
  const shown = mounts.filter(({ kind }) => kind === 'write' || kind === 'read').map(({ path }) => path);
  const hidden = folders.filter((path) => isRealFolder(path) && isInsideAny(path, shown));
  return [...mounts, ...hidden.map((path) => mountOf('hide', path))];
}

/** Without those in hidden folders. */
function linkedRepositories(roots: readonly string[], policy: SandboxPolicy): LinkedGit[] {
  const hidden = present(hiddenPaths(policy));
  return roots.flatMap((root) => linkedGit(root) ?? []).filter(({ common }) => !isInsideAny(common, hidden));
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
  return [...new Set(paths.flatMap((path) => realPathOf(path) ?? []))];
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function mountOf(kind: Mount['kind'], path: string): Mount {
  return { kind, path, isFolder: statSync(path, { throwIfNoEntry: false })?.isDirectory() === true };
}
