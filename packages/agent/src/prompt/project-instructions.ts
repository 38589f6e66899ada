import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isOwnSecret, mayHoldKeys } from '../permission/sensitive-files.js';
import { isInside, realPathOf } from '../real-path.js';
import type { SessionNotice } from '../session/options.js';

export interface ProjectInstructions {
  readonly text: string;
  readonly files: readonly string[];
  readonly notices: readonly SessionNotice[];
}

export interface InstructionRules {
  /** The folder with our own tokens. */
  readonly dataDir?: string | undefined;
  readonly hides?: ((realPath: string) => boolean) | undefined;
  /** The files of each folder. Default: AGENTS.md, CLAUDE.md and QWEN.md. */
  readonly names?: readonly string[] | undefined;
  /** Further files of the user, absolute. Missing ones are skipped. */
  readonly files?: readonly string[] | undefined;
}

const FILE_NAMES = ['AGENTS.md', 'CLAUDE.md', 'QWEN.md'];
/** The rest is left out with a notice. */
const MAX_FILE_BYTES = 32 * 1024;

const MAX_IMPORT_DEPTH = 5;
const MAX_IMPORTS = 20;

/**
 * Reads AGENTS.md, CLAUDE.md and QWEN.md, and files that they import with `@path`, from the repository root (outside a
 * repository, from the home folder) down to `cwd`; elsewhere only in `cwd`, so that shared parent folders have no
 * influence. Links and imports stay in the folder that owns the file: the project, or above it the folder of the file.
 * `userFolder` comes first; only its links may lead anywhere. Without a folder, its files are not read. Never throws;
 * skips unreadable files and, with a notice, what leads elsewhere, may contain keys, or is hidden by the rules.
 */
export function loadProjectInstructions(
  cwd: string | undefined,
  userFolder?: string,
  rules: InstructionRules = {},
): ProjectInstructions {
  const reader = new InstructionReader(rules);
  if (userFolder !== undefined) reader.readFolder(userFolder, { usersFolder: realPathOf(userFolder) ?? userFolder });
  if (cwd !== undefined) {
    const project = projectOf(cwd);
    for (const folder of foldersToRead(cwd)) reader.readFolder(folder, ownerOf(folder, project));
  }
  for (const file of rules.files ?? []) reader.readFile(file, { usersFolder: dirname(file) });
  return reader.take();
}

/** Instructions of subfolders, each when a call first touches a file below it. */
export class FolderInstructions {
  readonly #cwd: string;
  readonly #project: string | undefined;
  readonly #rules: InstructionRules;
  readonly #loaded: readonly string[];
  readonly #scopes = new WeakMap<object, { readonly reader: InstructionReader; readonly seen: Set<string> }>();

  constructor(cwd: string, loaded: readonly string[], rules: InstructionRules = {}) {
    this.#rules = rules;
    this.#cwd = realPathOf(cwd) ?? cwd;
    this.#project = projectOf(cwd);
    this.#loaded = loaded;
  }

  /** What applies to a file besides what was returned before in the scope, such as a conversation; '' for nothing. */
  take(realPath: string, scope: object = this): string {
    const { reader, seen } = this.#scopeOf(scope);
    const folders: string[] = [];
    for (
      let folder = dirname(realPath);
      folder !== this.#cwd && isInside(folder, this.#cwd);
      folder = dirname(folder)
    ) {
      if (seen.has(folder)) break;
      folders.push(folder);
    }
    for (const folder of folders.toReversed()) {
      seen.add(folder);
      reader.readFolder(folder, ownerOf(folder, this.#project));
    }
    return reader.take().text;
  }

  #scopeOf(scope: object) {
    const known = this.#scopes.get(scope);
    if (known !== undefined) return known;
    const created = { reader: new InstructionReader(this.#rules), seen: new Set<string>() };
    created.reader.skip(this.#loaded);
    this.#scopes.set(scope, created);
    return created;
  }
}

/** Reads each file once. */
class InstructionReader {
  readonly #names: readonly string[];
  readonly #hides: (realPath: string) => boolean;
  readonly #dataDirs: readonly string[];
  readonly #known = new Set<string>();
  /** An empty file says nothing. */
  readonly #texts = new Set(['']);
  #files: InstructionFile[] = [];
  #skipped: SessionNotice[] = [];

  constructor({ names = FILE_NAMES, hides = () => false, dataDir }: InstructionRules) {
    this.#names = names;
    this.#hides = hides;
    this.#dataDirs = dataDir === undefined ? [] : [dataDir, realPathOf(dataDir) ?? dataDir];
  }

  skip(realPaths: readonly string[]): void {
    for (const realPath of realPaths) this.#known.add(realPath);
  }

  readFolder(folder: string, owner: Owner): void {
    for (const name of this.#names) this.#read(join(folder, name), owner, MAX_IMPORT_DEPTH);
  }

  readFile(path: string, owner: Owner): void {
    this.#read(path, owner, 0);
  }

  /** What was read since the last time. */
  take(): ProjectInstructions {
    const [files, skipped] = [this.#files, this.#skipped];
    [this.#files, this.#skipped] = [[], []];
    return {
      text: files.map(({ path, text }) => `# ${path}\n\n${text.trim()}`).join('\n\n'),
      files: files.map(({ realPath }) => realPath),
      notices: [...skipped, ...files.flatMap(({ notice }) => (notice === undefined ? [] : [notice]))],
    };
  }

  #read(path: string, owner: Owner, depth: number): void {
    const realPath = realPathOf(path);
    if (realPath === undefined || this.#known.has(realPath)) return;
    const reason = this.#whySkipped({ path, realPath }, owner);
    if (reason !== undefined) {
      const message = `${path} was not read: ${reason}.`;
      if (!this.#skipped.some((notice) => notice.message === message)) {
        this.#skipped.push({ code: 'instructions_skipped', message });
      }
      return;
    }
    this.#known.add(realPath);
    const file = readInstructions(path, realPath);
    if (file === undefined || this.#texts.has(file.text.trim())) return;
    this.#texts.add(file.text.trim());
    this.#files.push(file);
    if (depth === 0) return;
    const next = ownerOfImports(realPath, owner);
    for (const name of importsOf(file.text)) this.#read(resolve(dirname(realPath), name), next, depth - 1);
  }

  #whySkipped(found: { readonly path: string; readonly realPath: string }, owner: Owner): string | undefined {
    const { realPath } = found;
    if ('folder' in owner) {
      if (!isInside(realPath, owner.folder)) return `it leads out of ${owner.folder}`;
      const isOwn = dirname(realPath) === owner.folder && this.#names.includes(basename(realPath));
      if (owner.isShared && !isOwn) return `instructions in ${owner.folder} import no other files`;
    }
    if (mayHoldKeys(found) || isOwnSecret(found, this.#dataDirs)) return 'it may contain keys or passwords';
    return this.#hides(realPath) ? 'a rule denies reading it' : undefined;
  }
}

/** Paths after `@`, outside of code. */
function importsOf(text: string): readonly string[] {
  const prose = text.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '');
  const paths = [...prose.matchAll(/(?<![^\s(])@((?:\.{0,2}\/)?[\w.-]+(?:\/[\w.-]+)*)/g)].map(([, path = '']) => path);
  return [...new Set(paths.map((path) => path.replace(/\.$/, '')))].slice(0, MAX_IMPORTS);
}

/**
 * The real folder that links and imports may not leave, or the folder of the user, whose links may lead anywhere. A
 * shared folder holds the files of others too, as the home folder does: nothing but instructions is read from it.
 */
type Owner = { readonly folder: string; readonly isShared: boolean } | { readonly usersFolder: string };

function ownerOf(folder: string, project: string | undefined): Owner {
  const real = realPathOf(folder) ?? folder;
  if (project !== undefined && isInside(real, project)) return { folder: project, isShared: false };
  return { folder: real, isShared: holdsHome(real) };
}

/** What the user links to may belong to anyone, so its imports stay beside it. */
function ownerOfImports(realPath: string, owner: Owner): Owner {
  if ('folder' in owner || isInside(realPath, owner.usersFolder)) return owner;
  return ownerOf(dirname(realPath), undefined);
}

/** The real path of the repository, otherwise of `cwd`. Neither is the home folder or above it. */
function projectOf(cwd: string): string | undefined {
  const real = realPathOf(cwd) ?? cwd;
  if (holdsHome(real)) return undefined;
  for (let folder = real; !holdsHome(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) break;
  }
  return real;
}

function holdsHome(realFolder: string): boolean {
  const home = homedir();
  return isInside(home, realFolder) || isInside(realPathOf(home) ?? home, realFolder);
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
