import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, extname, isAbsolute, join, sep } from 'node:path';
import { isInside, realPathOf } from '@qwen/agent/node';

export interface ProgramSearch {
  /** A value of PATH. Default: that of this process. */
  readonly searchPath?: string;
  /** Programs in it, and in the repository around it, are not used. Default: the working directory. */
  readonly project?: string;
}

/**
 * The absolute path of a program on the PATH. Skips what a project may control: relative and empty entries, folders
 * of the project and every `node_modules/.bin`, also through links.
 */
export function findProgram(name: string, search: ProgramSearch = {}): string | undefined {
  const project = projectFolder(search.project ?? process.cwd());
  if (name.includes('/') || name.includes(sep)) return isAbsolute(name) && isExecutable(name) ? name : undefined;
  const isBare = process.platform !== 'win32' || extname(name) !== '';
  for (const folder of trustedFolders(search)) {
    const file = join(folder, isBare ? name : `${name}.exe`);
    if (isExecutable(file) && !isControlled(file, project)) return file;
  }
  return undefined;
}

/** The entries of a PATH that a project does not control. */
export function trustedFolders({ searchPath = process.env['PATH'] ?? '', project }: ProgramSearch = {}): string[] {
  const controlled = projectFolder(project ?? process.cwd());
  return searchPath.split(delimiter).filter((folder) => isAbsolute(folder) && !isControlled(folder, controlled));
}

function isControlled(path: string, project: string | undefined): boolean {
  return [path, realPathOf(path) ?? path].some(
    (name) => (project !== undefined && isInside(name, project)) || `${name}${sep}`.includes(PACKAGE_PROGRAMS),
  );
}

const PACKAGE_PROGRAMS = `${sep}node_modules${sep}.bin${sep}`;

/**
 * The folder, or the repository around it. Undefined for the home folder, whose programs are those of the user, and
 * for the root of the file system.
 */
function projectFolder(start: string): string | undefined {
  const from = realPathOf(start) ?? start;
  const home = realPathOf(homedir()) ?? homedir();
  if (from === home || from === dirname(from)) return undefined;
  let project = from;
  for (let folder = from; !isInside(home, folder) && folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) project = folder;
  }
  return project;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
