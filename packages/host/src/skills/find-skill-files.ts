import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isInside, realPathOf } from '@qwen/agent/node';
import type { SkillFolder } from './skill.js';

const MAX_DEPTH = 4;
/** Bounds the start-up time. */
const MAX_FOLDERS = 2000;
const MAX_SKILLS = 200;
const MAX_BYTES = 256 * 1024;
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules']);

export interface FoundSkills {
  /** Paths of `SKILL.md`, sorted. */
  readonly paths: readonly string[];
  readonly problems: readonly string[];
}

/** A folder with a `SKILL.md` is a skill; its subfolders are its resources. Never throws. */
export function findSkillFiles({ folder: root, boundary }: SkillFolder): FoundSkills {
  const paths: string[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  const visit = (folder: string, depth: number) => {
    const realPath = realPathOf(folder);
    if (realPath === undefined || seen.has(realPath) || seen.size >= MAX_FOLDERS || paths.length >= MAX_SKILLS) return;
    seen.add(realPath);
    const entries = entriesOf(folder);
    const file = join(folder, 'SKILL.md');
    const isSkill = depth > 0 && entries.some(({ name }) => name === 'SKILL.md');
    if (!isWithin(realPath, boundary) || (isSkill && !isWithin(realPathOf(file), boundary))) {
      problems.push(`${isSkill ? file : folder}: this link leads out of the project and was skipped`);
      return;
    }
    if (isSkill) {
      paths.push(file);
      return;
    }
    if (depth >= MAX_DEPTH) return;
    for (const entry of entries) {
      if (!SKIPPED_FOLDERS.has(entry.name) && isFolder(entry, folder)) visit(join(folder, entry.name), depth + 1);
    }
  };
  visit(root, 0);
  if (paths.length >= MAX_SKILLS) problems.push(`${root}: only the first ${MAX_SKILLS} skills were read`);
  if (seen.size >= MAX_FOLDERS) problems.push(`${root}: only the first ${MAX_FOLDERS} folders were searched`);
  return { paths, problems };
}

/** Undefined for anything but a regular file of a sensible size. */
export function readSkillText(path: string): string | undefined {
  let fd: number | undefined;
  try {
    // A named pipe must not block the process.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(fd);
    return found.isFile() && found.size <= MAX_BYTES ? readFileSync(fd, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const MAX_RESOURCES = 50;

/** Relative paths of the other files of a skill, sorted; hidden ones are left out. */
export function skillResources(folder: string): readonly string[] {
  const files: string[] = [];
  const visit = (path: string, depth: number) => {
    for (const entry of entriesOf(join(folder, path))) {
      if (files.length > MAX_RESOURCES) return;
      const name = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.name.startsWith('.') || SKIPPED_FOLDERS.has(entry.name)) continue;
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH) visit(name, depth + 1);
      } else if (entry.isFile() && name !== 'SKILL.md') files.push(name);
    }
  };
  visit('', 0);
  return files.length > MAX_RESOURCES ? [...files.slice(0, MAX_RESOURCES), '…'] : files;
}

function entriesOf(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}

function isWithin(realPath: string | undefined, boundary: string | undefined): boolean {
  return boundary === undefined || (realPath !== undefined && isInside(realPath, boundary));
}

function isFolder(entry: Dirent, parent: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return statSync(join(parent, entry.name), { throwIfNoEntry: false })?.isDirectory() === true;
}
