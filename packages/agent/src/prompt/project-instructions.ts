import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { isPersonalSecret } from '../permission/sensitive-files.js';
import type { SessionNotice } from '../session/options.js';

export interface ProjectInstructions {
  readonly text: string;
  readonly files: readonly string[];
  readonly notices: readonly SessionNotice[];
}

const FILE_NAMES = ['AGENTS.md', 'QWEN.md'];
/** The rest is left out with a notice. */
const MAX_FILE_BYTES = 32 * 1024;

/**
 * Reads AGENTS.md and QWEN.md from the repository root (outside a repository, from the home folder) down to `cwd`;
 * elsewhere only in `cwd`, so that shared parent folders have no influence. `userFolder` comes first. Never throws;
 * skips unreadable files, links out of the project and what `hides` names, the last two with a notice.
 */
export function loadProjectInstructions(
  cwd: string,
  userFolder?: string,
  hides: (realPath: string) => boolean = () => false,
): ProjectInstructions {
  const own = foldersToRead(cwd);
  const top = realPathOf(own[0] ?? cwd);
  const folders = [...(userFolder === undefined ? [] : [userFolder]), ...own];
  const found = new Map<string, InstructionFile>();
  const skipped: SessionNotice[] = [];
  for (const folder of folders) {
    for (const path of FILE_NAMES.map((name) => join(folder, name))) {
      const realPath = realPathOf(path);
      if (realPath === undefined || found.has(realPath)) continue;
      const reason = whySkipped(realPath, { top: folder === userFolder ? undefined : top, hides });
      if (reason !== undefined) {
        skipped.push({ code: 'instructions_skipped', message: `${path} was not read: ${reason}.` });
        continue;
      }
      const file = readInstructions(path, realPath);
      if (file !== undefined) found.set(realPath, file);
    }
  }
  const files = [...found.values()];
  return {
    text: files.map(({ path, text }) => `# ${path}\n\n${text.trim()}`).join('\n\n'),
    files: files.map(({ realPath }) => realPath),
    notices: [...skipped, ...files.flatMap(({ notice }) => (notice === undefined ? [] : [notice]))],
  };
}

interface Boundary {
  /** The real path of the repository; undefined for the folder of the user, whose links may lead anywhere. */
  readonly top: string | undefined;
  readonly hides: (realPath: string) => boolean;
}

function whySkipped(realPath: string, { top, hides }: Boundary): string | undefined {
  if (top !== undefined && !isBelow(realPath, top)) return 'it is a link to a file outside of the project';
  const found = { path: realPath, realPath, insideRoots: true };
  if (isPersonalSecret(found)) return 'it may contain keys or passwords';
  return hides(realPath) ? 'a rule denies reading it' : undefined;
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function foldersToRead(cwd: string): string[] {
  const above: string[] = [];
  for (let folder = cwd; above.at(-1) !== folder; folder = dirname(folder)) {
    above.push(folder);
    if (existsSync(join(folder, '.git'))) return above.toReversed();
  }
  const home = homedir();
  const below = relative(home, cwd);
  const isBelowHome = below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !below.includes(':');
  if (!isBelowHome) return [cwd];
  return above.slice(0, above.indexOf(home) + 1).toReversed();
}

interface InstructionFile {
  readonly path: string;
  readonly realPath: string;
  readonly text: string;
  readonly notice?: SessionNotice;
}

function readInstructions(path: string, realPath: string): InstructionFile | undefined {
  let fd: number | undefined;
  try {
    // Without O_NONBLOCK a named pipe would block forever.
    fd = openSync(realPath, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const found = fstatSync(fd);
    if (!found.isFile()) return undefined;
    const bytes = Buffer.alloc(MAX_FILE_BYTES);
    const length = readSync(fd, bytes, 0, MAX_FILE_BYTES, 0);
    const text = bytes.toString('utf8', 0, length).replace(/\uFFFD$/, '');
    const file = { path, realPath, text };
    if (found.size <= MAX_FILE_BYTES) return file;
    const message = `${path} is longer than ${MAX_FILE_BYTES} bytes; the rest was left out.`;
    return { ...file, notice: { code: 'instructions_truncated', message } };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
