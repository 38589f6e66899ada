import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type FoundFiles, isPersonalSecret } from '@qwen/agent';
import { isInside } from '@qwen/agent/node';
import { systemCodeOf } from '@qwen/protocol';

/** Version managers read these before they start node, python, ruby and others, and quote them. */
const VERSIONS =
  '.python-version .ruby-version .node-version .nvmrc .tool-versions .java-version .perl-version .php-version .sdkmanrc mise.toml .mise.toml mise.local.toml .mise.local.toml package.json'.split(
    ' ',
  );
const PACKAGES = '.npmrc package-lock.json npm-shrinkwrap.json yarn.lock node_modules .package-lock.json'.split(' ');
const READ_ANYWHERE = new Set([...VERSIONS, ...PACKAGES]);

/** A version manager starts such a version from the folder that it names. */
const NAMES_FOLDER = /^[^#]*(?:(?:^|\s)(?:path:|\/)|\.\.\/)/m;
/** Other lines may hide a name, and these names lead to other files, which npm quotes. */
const PLAIN_NPMRC = /^\s*(?:[#;].*|(?!(?:userconfig|globalconfig|prefix|cafile)\b)[\w@./:-]+(?:\[\])?\s*(?:=.*)?)?$/;
const PLAIN_WORKSPACE = /^!*(?:\.\/)?(?:[\w@*-][\w@.*-]*\/?)+$/;
const MAX_ENTRIES = 100_000;

interface Place {
  /** Real paths. */
  readonly roots: readonly string[];
  readonly root: string;
  readonly folder: string;
}

/**
 * Why a program that runs in the folder may show or start what is outside of the roots, although no word of the command
 * names it.
 */
export async function foundFilesHazard(
  kind: FoundFiles,
  folder: string,
  roots: readonly string[],
): Promise<string | undefined> {
  try {
    const place = await placeOf(folder, roots);
    if (place === undefined) return 'It does not run in the workspace.';
    for (const above of foldersFrom(place)) {
      const hazard = await hazardIn(kind, above, place);
      if (hazard !== undefined) return hazard;
    }
    return kind === 'packages' ? await linkBelow(place) : undefined;
  } catch (error) {
    return `The files that it finds cannot be checked (${systemCodeOf(error) ?? 'unknown error'}).`;
  }
}

async function placeOf(folder: string, roots: readonly string[]): Promise<Place | undefined> {
  const [real, ...realRoots] = await Promise.all([folder, ...roots].map((path) => realpath(path)));
  const root = real && realRoots.find((one) => isInside(real, one));
  return real === undefined || root === undefined ? undefined : { roots: realRoots, root, folder: real };
}

/** Up to the file system, without the home folder and what is above it, which are the user's. */
function* foldersFrom({ root, folder }: Place): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    if (!isInside(at, root) && isInside(homedir(), at)) return;
    yield at;
    if (dirname(at) === at) return;
  }
}

async function hazardIn(kind: FoundFiles, folder: string, place: Place): Promise<string | undefined> {
  const names = kind === 'packages' ? [...VERSIONS, ...PACKAGES] : VERSIONS;
  const isOutside = !isInside(folder, place.root);
  const allowed = isOutside ? [folder] : place.roots;
  const hazards = names.map(async (name) => {
    const path = join(folder, name);
    const stats = await orMissing(lstat(path));
    if (stats === undefined) return undefined;
    if (stats.isSymbolicLink() && !(await leadsInto(allowed, path))) return leadsOut(path);
    if (kind === 'packages' && isOutside && /^(?:package\.json|node_modules)$/.test(name)) {
      return `It may read packages in ${folder}, outside the workspace.`;
    }
    return stats.isDirectory() ? undefined : hazardOfText(kind, path);
  });
  return (await Promise.all(hazards)).find((hazard) => hazard !== undefined);
}

async function hazardOfText(kind: FoundFiles, path: string): Promise<string | undefined> {
  const name = basename(path);
  if (name === 'package.json') return kind === 'packages' ? hazardOfWorkspaces(path) : undefined;
  if (name === '.npmrc') {
    const isPlain = (await readFile(path, 'utf8')).split(/[\r\n]+/).every((line) => PLAIN_NPMRC.test(line));
    return isPlain ? undefined : `${path} may name other files.`;
  }
  if (!/version|^\.nvmrc$/.test(name)) return undefined;
  return NAMES_FOLDER.test(await readFile(path, 'utf8')) ? `${path} may name programs in a folder.` : undefined;
}

async function hazardOfWorkspaces(path: string): Promise<string | undefined> {
  const hazard = `The workspaces in ${path} may be elsewhere.`;
  let manifest: unknown;
  try {
    manifest = JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch {
    return hazard;
  }
  if (typeof manifest !== 'object' || manifest === null || !('workspaces' in manifest)) return undefined;
  const { workspaces } = manifest;
  const isNested = typeof workspaces === 'object' && workspaces !== null && 'packages' in workspaces;
  const patterns: unknown = isNested ? workspaces.packages : workspaces;
  const isPlain =
    Array.isArray(patterns) && patterns.every((one) => typeof one === 'string' && PLAIN_WORKSPACE.test(one));
  return isPlain ? undefined : hazard;
}

/** The first link to a folder outside, or to a file that npm reads in every package. */
async function linkBelow({ root, roots }: Place): Promise<string | undefined> {
  const folders = [root];
  let count = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = (await orMissing(readdir(folder, { withFileTypes: true }))) ?? [];
    count += entries.length;
    if (count > MAX_ENTRIES) return `${root} has too many files to check them for links.`;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== '.git') folders.push(path);
      if (!entry.isSymbolicLink() || (await leadsInto(roots, path))) continue;
      const target = READ_ANYWHERE.has(entry.name) ? undefined : await orMissing(stat(path));
      if (READ_ANYWHERE.has(entry.name) || target?.isDirectory() === true) return leadsOut(path);
    }
  }
  return undefined;
}

async function leadsInto(folders: readonly string[], path: string): Promise<boolean> {
  const real = await orMissing(realpath(path));
  if (real === undefined || isPersonalSecret({ path, realPath: real })) return false;
  return folders.some((folder) => isInside(real, folder));
}

function leadsOut(path: string): string {
  return `${path} is a link that leads out of the workspace, or to keys.`;
}

/** The command runs as the same user, so it cannot read what we cannot read. */
async function orMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR|EACCES|EPERM|ELOOP)$/.test(systemCodeOf(error) ?? '')) return undefined;
    throw error;
  }
}
