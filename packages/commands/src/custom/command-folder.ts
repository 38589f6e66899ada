import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { isInside, realPathOf } from '@qwen/tools';
import type { CommandSource } from '../command-registry.js';
import { readCommandFile } from './read-command-file.js';
import type { FileCommand } from './run-custom-command.js';

const MAX_FILES = 500;
const MAX_DEPTH = 8;
const MAX_FILE_BYTES = 256 * 1024;
const SUFFIX = /(?<=.)\.(?:toml|md)$/;

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
 * `git/review.toml` and `git/review.md` become `git:review`. Each `list()` scans the folder, but reads only changed
 * files. Invalid files are skipped with a notice.
 */
export class CommandFolder implements CommandSource {
  readonly #folder: string;
  readonly #boundary: string | undefined;
  readonly #prefix: string | undefined;
  readonly #known = new Map<string, KnownFile>();
  #notices: readonly CommandFileNotice[] = [];

  /** `folder` is absolute and may be missing, or one file. */
  constructor(folder: string, { boundary, prefix }: Omit<PluginCommands, 'folder'> = {}) {
    this.#folder = folder;
    this.#boundary = boundary;
    this.#prefix = prefix;
  }

  list(): readonly FileCommand[] {
    const found = findFiles(this.#folder);
    const files = found.slice(0, MAX_FILES).map(({ path, names }) => this.#read(path, names));
    const paths = new Set(found.map(({ path }) => path));
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path);
    this.#notices = [
      ...files.flatMap(({ notice }) => notice ?? []),
      ...(found.length > MAX_FILES
        ? [{ path: this.#folder, message: `contains more than ${MAX_FILES} commands; the others were skipped` }]
        : []),
    ];
    return files.flatMap(({ command }) => command ?? []);
  }

  get notices(): readonly CommandFileNotice[] {
    return this.#notices;
  }

  #read(path: string, names: readonly string[]): KnownFile {
    const stamp = stampOf(path);
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known;
    const file: KnownFile = { stamp, ...this.#readNew(path, names) };
    this.#known.set(path, file);
    return file;
  }

  #readNew(path: string, names: readonly string[]): Omit<KnownFile, 'stamp'> {
    if (this.#boundary !== undefined && !isFileIn(this.#boundary, path)) {
      return { notice: { path, message: 'is a link out of the plugin and was skipped' } };
    }
    const { command, notice } = readOne(path, names);
    if (command === undefined || this.#prefix === undefined)
      return { ...(command && { command }), ...(notice && { notice }) };
    return { command: { ...command, name: `${this.#prefix}:${command.name}` } };
  }
}

function isFileIn(boundary: string, path: string): boolean {
  const realPath = realPathOf(path);
  return realPath !== undefined && isInside(realPath, boundary);
}

function readOne(path: string, names: readonly string[]): Omit<KnownFile, 'stamp'> {
  try {
    const stats = statSync(path);
    // Reading a named pipe would block the process.
    if (!stats.isFile()) throw new AgentError('invalid_settings', 'is not a regular file');
    if (stats.size > MAX_FILE_BYTES) throw new AgentError('invalid_settings', `is larger than ${MAX_FILE_BYTES} bytes`);
    const name = toCommandName(names);
    const command = readCommandFile(readFileSync(path, 'utf8'), { name, fileName: names.at(-1) ?? name });
    return { command: { ...command, file: names.join('/') } };
  } catch (thrown) {
    return { notice: { path, message: AgentError.from(thrown, 'invalid_settings').message } };
  }
}

/** Replaces characters other than letters, digits, `-`, `_` and `.` with `_`. */
function toCommandName(names: readonly string[]): string {
  const parts = names.join('/').replace(SUFFIX, '').split('/');
  return parts.map((part) => part.normalize('NFC').replaceAll(/[^\p{L}\p{N}._-]/gu, '_')).join(':');
}

interface FoundFile {
  readonly path: string;
  readonly names: readonly string[];
}

/** Returns one more than the limit, so that the caller can tell. */
function findFiles(root: string): FoundFile[] {
  const found: FoundFile[] = [];
  const seen = new Set<string>();
  const visit = (folder: string, names: readonly string[]) => {
    if (names.length > MAX_DEPTH || found.length > MAX_FILES || isSeen(folder, seen)) return;
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (found.length > MAX_FILES) return;
      if (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(path))) visit(path, [...names, entry.name]);
      else if (SUFFIX.test(entry.name)) found.push({ path, names: [...names, entry.name] });
    }
  };
  if (SUFFIX.test(root) && !isFolder(root)) return [{ path: root, names: [basename(root)] }];
  visit(root, []);
  return found;
}

/** Guards against link cycles. */
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

export interface PluginCommands {
  /** Absolute; a folder or one file. */
  readonly folder: string;
  /** Real path; a link that leads out of it is skipped. */
  readonly boundary?: string;
  /** The name of the plugin. */
  readonly prefix?: string;
}

export interface CustomCommandsOptions {
  /** Absolute; the first takes precedence. */
  readonly projectFolders: readonly string[];
  readonly userFolders: readonly string[];
  /** Default: none. */
  readonly plugins?: readonly PluginCommands[];
  /** Called by each `list()`: trust can be granted later. */
  readonly isTrusted: () => boolean;
}

export interface CustomCommands extends CommandSource {
  list(): readonly FileCommand[];
  /** As of the last `list()`. */
  readonly notices: readonly CommandFileNotice[];
}

/** Project commands come first, so they take precedence. */
export function customCommands(options: CustomCommandsOptions): CustomCommands {
  const { projectFolders, userFolders, plugins = [], isTrusted } = options;
  const user = userFolders.map((folder) => new CommandFolder(folder));
  const project = projectFolders
    .filter((folder) => !userFolders.includes(folder))
    .map((folder) => new CommandFolder(folder));
  const ofPlugins = plugins.map(({ folder, ...place }) => new CommandFolder(folder, place));
  const folders = () => [...(isTrusted() ? project : []), ...user, ...ofPlugins];
  return {
    list: () => folders().flatMap((folder) => folder.list()),
    get notices() {
      return folders().flatMap(({ notices }) => notices);
    },
  };
}
