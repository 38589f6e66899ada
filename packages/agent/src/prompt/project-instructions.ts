import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isPersonalSecret } from '../permission/sensitive-files.js';
import type { SessionNotice } from '../session/options.js';

export interface ProjectInstructions {
  readonly text: string;
  readonly files: readonly string[];
  readonly notices: readonly SessionNotice[];
}

export interface InstructionRules {
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
 * influence. `userFolder` comes first. Without a folder, its files are not read. Never throws; skips unreadable files, links out of the project and what the rules
 * hide, the last two with a notice.
 */
export function loadProjectInstructions(
  cwd: string | undefined,
  userFolder?: string,
  { hides = () => false, names, files = [] }: InstructionRules = {},
): ProjectInstructions {
  const own = cwd === undefined ? [] : foldersToRead(cwd);
  const top = cwd === undefined ? undefined : realPathOf(own[0] ?? cwd);
  const folders = [...(userFolder === undefined ? [] : [userFolder]), ...own];
  const reader = new InstructionReader(names);
  for (const folder of folders) reader.readFolder(folder, { top: folder === userFolder ? undefined : top, hides });
  for (const file of files) reader.readFile(file, { top: undefined, hides });
  return reader.take();
}

/** Instructions of subfolders, each when a call first touches a file below it. */
export class FolderInstructions {
  readonly #cwd: string;
  readonly #top: string | undefined;
  readonly #hides: (realPath: string) => boolean;
  readonly #names: readonly string[] | undefined;
  readonly #loaded: readonly string[];
  readonly #scopes = new WeakMap<object, { readonly reader: InstructionReader; readonly seen: Set<string> }>();

  constructor(cwd: string, loaded: readonly string[], { hides = () => false, names }: InstructionRules = {}) {
    this.#names = names;
    this.#cwd = realPathOf(cwd) ?? cwd;
    this.#top = realPathOf(foldersToRead(cwd)[0] ?? cwd);
    this.#hides = hides;
    this.#loaded = loaded;
  }

  /** What applies to a file besides what was returned before in the scope, such as a conversation; '' for nothing. */
  take(realPath: string, scope: object = this): string {
    const { reader, seen } = this.#scopeOf(scope);
    const folders: string[] = [];
    for (let folder = dirname(realPath); folder !== this.#cwd && isBelow(folder, this.#cwd); folder = dirname(folder)) {
      if (seen.has(folder)) break;
      folders.push(folder);
    }
    for (const folder of folders.toReversed()) {
      seen.add(folder);
      reader.readFolder(folder, { top: this.#top, hides: this.#hides });
    }
    return reader.take().text;
  }

  #scopeOf(scope: object) {
    const known = this.#scopes.get(scope);
    if (known !== undefined) return known;
    const created = { reader: new InstructionReader(this.#names), seen: new Set<string>() };
    created.reader.skip(this.#loaded);
    this.#scopes.set(scope, created);
    return created;
  }
}

/** Reads each file once. */
class InstructionReader {
  readonly #names: readonly string[];
  readonly #known = new Set<string>();
  /** An empty file says nothing. */
  readonly #texts = new Set(['']);
  #files: InstructionFile[] = [];
  #skipped: SessionNotice[] = [];

  constructor(names: readonly string[] = FILE_NAMES) {
    this.#names = names;
  }

  skip(realPaths: readonly string[]): void {
    for (const realPath of realPaths) this.#known.add(realPath);
  }

  readFolder(folder: string, boundary: Boundary): void {
    for (const name of this.#names) this.#read(join(folder, name), boundary, MAX_IMPORT_DEPTH);
  }

  readFile(path: string, boundary: Boundary): void {
    this.#read(path, boundary, 0);
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

  #read(path: string, boundary: Boundary, depth: number): void {
    const realPath = realPathOf(path);
    if (realPath === undefined || this.#known.has(realPath)) return;
    this.#known.add(realPath);
    const reason = whySkipped(realPath, boundary);
    if (reason !== undefined) {
      this.#skipped.push({ code: 'instructions_skipped', message: `${path} was not read: ${reason}.` });
      return;
    }
    const file = readInstructions(path, realPath);
    if (file === undefined || this.#texts.has(file.text.trim())) return;
    this.#texts.add(file.text.trim());
    this.#files.push(file);
    if (depth === 0) return;
    for (const name of importsOf(file.text)) this.#read(resolve(dirname(realPath), name), boundary, depth - 1);
  }
}

/** Paths after `@`, outside of code. */
function importsOf(text: string): readonly string[] {
  const prose = text.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '');
  const paths = [...prose.matchAll(/(?<![^\s(])@((?:\.{0,2}\/)?[\w.-]+(?:\/[\w.-]+)*)/g)].map(([, path = '']) => path);
  return [...new Set(paths.map((path) => path.replace(/\.$/, '')))].slice(0, MAX_IMPORTS);
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
