import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import type { SessionNotice } from '../session/options.js';

/** The instructions that a project gives to agents. */
export interface ProjectInstructions {
  /** All files in one text, each under its path, the nearest last; empty when there are none. */
  readonly text: string;
  /** Absolute real paths of the files, in the same order. */
  readonly files: readonly string[];
  readonly notices: readonly SessionNotice[];
}

const FILE_NAMES = ['AGENTS.md', 'QWEN.md'];
/** What one file may hold; the rest is left out with a notice. */
const MAX_FILE_BYTES = 32 * 1024;

/**
 * Reads AGENTS.md and QWEN.md of each folder from the root of the repository down to `cwd`; outside of a repository
 * from the home folder down, and elsewhere from `cwd` alone, so that nobody's file in a shared folder above it can
 * speak to the model. Those of `userFolder`, which hold for all of the user's projects, come first. Never throws: a file
 * that cannot be read is passed over. Synchronous as the settings of the same folders, which were read before: a few
 * small files, once.
 */
export function loadProjectInstructions(cwd: string, userFolder?: string): ProjectInstructions {
  const folders = [...(userFolder === undefined ? [] : [userFolder]), ...foldersToRead(cwd)];
  const found = new Map<string, InstructionFile>();
  for (const path of folders.flatMap((folder) => FILE_NAMES.map((name) => join(folder, name)))) {
    const file = readInstructions(path);
    // One may be a link to the other; the same words twice help nobody.
    if (file !== undefined && !found.has(file.realPath)) found.set(file.realPath, file);
  }
  const files = [...found.values()];
  return {
    text: files.map(({ path, text }) => `# ${path}\n\n${text.trim()}`).join('\n\n'),
    files: files.map(({ realPath }) => realPath),
    notices: files.flatMap(({ notice }) => (notice === undefined ? [] : [notice])),
  };
}

/** From the outermost folder to `cwd`. */
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
    // Without O_NONBLOCK a named pipe would hold the start for ever.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(fd);
    if (!found.isFile()) return undefined;
    const bytes = Buffer.alloc(MAX_FILE_BYTES);
    const length = readSync(fd, bytes, 0, MAX_FILE_BYTES, 0);
    // A character that the cut went through becomes one replacement character, which is then left out.
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
