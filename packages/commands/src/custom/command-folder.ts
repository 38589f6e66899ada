import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import type { CommandSource } from '../command-registry.js';
import { readCommandFile } from './read-command-file.js';
import type { FileCommand } from './run-custom-command.js';

const MAX_FILES = 500;
const MAX_DEPTH = 8;
const MAX_FILE_BYTES = 256 * 1024;
const SUFFIX = '.toml';

/** Why a file is no command. */
export interface CommandFileNotice {
  /** Absolute. */
  readonly path: string;
  readonly message: string;
}

interface KnownFile {
  readonly stamp: string;
  readonly command?: FileCommand;
  readonly notice?: CommandFileNotice;
}

/**
 * The commands of a folder of TOML files, such as `.qwen/commands`: `git/review.toml` is `git:review`. Looked
 * through with each `list()`, so that an edit counts at once; only files that changed are read. A file that is no
 * command is left out with a notice. Synchronous as the settings beside it: a few small files.
 */
export class CommandFolder implements CommandSource {
  readonly #folder: string;
  readonly #known = new Map<string, KnownFile>();
  #notices: readonly CommandFileNotice[] = [];

  /** `folder` is absolute; one that is not there holds no commands. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  list(): readonly FileCommand[] {
    const found = findFiles(this.#folder);
    const files = found.slice(0, MAX_FILES).map(({ path, names }) => this.#read(path, names));
    const paths = new Set(found.map(({ path }) => path));
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path);
    this.#notices = [
      ...files.flatMap(({ notice }) => notice ?? []),
      ...(found.length > MAX_FILES
        ? [{ path: this.#folder, message: `holds more than ${MAX_FILES} commands; the rest was left out` }]
        : []),
    ];
    return files.flatMap(({ command }) => command ?? []);
  }

  /** What was wrong at the last `list()`. */
  get notices(): readonly CommandFileNotice[] {
    return this.#notices;
  }

  #read(path: string, names: readonly string[]): KnownFile {
    const stamp = stampOf(path);
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known;
    const file: KnownFile = { stamp, ...readOne(path, names) };
    this.#known.set(path, file);
    return file;
  }
}

function readOne(path: string, names: readonly string[]): Omit<KnownFile, 'stamp'> {
  try {
    const stats = statSync(path);
    // A named pipe would hold the whole program for ever.
    if (!stats.isFile()) throw new AgentError('invalid_settings', 'is not a regular file');
    if (stats.size > MAX_FILE_BYTES) throw new AgentError('invalid_settings', `is larger than ${MAX_FILE_BYTES} bytes`);
    const name = toCommandName(names);
    return { command: readCommandFile(readFileSync(path, 'utf8'), { name, fileName: names.at(-1) ?? name }) };
  } catch (thrown) {
    return { notice: { path, message: AgentError.from(thrown, 'invalid_settings').message } };
  }
}

/** Folders are joined by `:`; what is no letter, digit, `-`, `_` or `.` becomes `_` (GAP-81). */
function toCommandName(names: readonly string[]): string {
  const parts = names.join('/').slice(0, -SUFFIX.length).split('/');
  return parts.map((part) => part.normalize('NFC').replaceAll(/[^\p{L}\p{N}._-]/gu, '_')).join(':');
}

interface FoundFile {
  readonly path: string;
  /** From the folder down to the file. */
  readonly names: readonly string[];
}

/** The TOML files below a folder in the order of their names, one more than are read. */
function findFiles(root: string): FoundFile[] {
  const found: FoundFile[] = [];
  const seen = new Set<string>();
  const visit = (folder: string, names: readonly string[]) => {
    if (names.length > MAX_DEPTH || found.length > MAX_FILES || isSeen(folder, seen)) return;
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (found.length > MAX_FILES) return;
      if (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(path))) visit(path, [...names, entry.name]);
      else if (entry.name.endsWith(SUFFIX) && entry.name !== SUFFIX)
        found.push({ path, names: [...names, entry.name] });
    }
  };
  visit(root, []);
  return found;
}

/** Links may lead in a circle. */
function isSeen(folder: string, seen: Set<string>): boolean {
  try {
    const realPath = realpathSync.native(folder);
    if (seen.has(realPath)) return true;
    seen.add(realPath);
    return false;
  } catch {
    return true;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function stampOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

export interface CustomCommandsOptions {
  /** `.qwen/commands` of the project; absolute. */
  readonly projectFolder: string;
  /** `commands` of the user's own folder; absolute. */
  readonly userFolder: string;
  /** Whether what the project asks for counts. Asked with each list, since trust can be given meanwhile. */
  readonly isTrusted: () => boolean;
}

/** The user's own commands. */
export interface CustomCommands extends CommandSource {
  list(): readonly FileCommand[];
  /** Files that are no commands, as of the last `list()`. */
  readonly notices: readonly CommandFileNotice[];
}

/** The commands of the project, then those of the user, so that the project's count where both have one (GAP-81). */
export function customCommands({ projectFolder, userFolder, isTrusted }: CustomCommandsOptions): CustomCommands {
  const project = new CommandFolder(projectFolder);
  const user = new CommandFolder(userFolder);
  // In the home folder both are the same.
  const isOne = projectFolder === userFolder;
  const folders = () => [...(isTrusted() && !isOne ? [project] : []), user];
  return {
    list: () => folders().flatMap((folder) => folder.list()),
    get notices() {
      return folders().flatMap(({ notices }) => notices);
    },
  };
}
