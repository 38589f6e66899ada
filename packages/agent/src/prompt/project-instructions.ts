import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
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
 * skips unreadable files.
 */
export function loadProjectInstructions(cwd: string, userFolder?: string): ProjectInstructions {
  const folders = [...(userFolder === undefined ? [] : [userFolder]), ...foldersToRead(cwd)];
  const found = new Map<string, InstructionFile>();
  for (const path of folders.flatMap((folder) => FILE_NAMES.map((name) => join(folder, name)))) {
    const file = readInstructions(path);
    if (file !== undefined && !found.has(file.realPath)) found.set(file.realPath, file);
  }
  const files = [...found.values()];
  return {
    text: files.map(({ path, text }) => `# ${path}\n\n${text.trim()}`).join('\n\n'),
    files: files.map(({ realPath }) => realPath),
    notices: files.flatMap(({ notice }) => (notice === undefined ? [] : [notice])),
  };
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

function readInstructions(path: string): InstructionFile | undefined {
  if (!existsSync(path)) return undefined;
  let fd: number | undefined;
  try {
    // Without O_NONBLOCK a named pipe would block forever.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(fd);
    if (!found.isFile()) return undefined;
    const bytes = Buffer.alloc(MAX_FILE_BYTES);
    const length = readSync(fd, bytes, 0, MAX_FILE_BYTES, 0);
    const text = bytes.toString('utf8', 0, length).replace(/\uFFFD$/, '');
    const file = { path, realPath: realpathSync.native(path), text };
    if (found.size <= MAX_FILE_BYTES) return file;
    const message = `${path} is longer than ${MAX_FILE_BYTES} bytes; the rest was left out.`;
    return { ...file, notice: { code: 'instructions_truncated', message } };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
