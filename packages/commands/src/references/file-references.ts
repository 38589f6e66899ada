import { lstat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { ResolvedPath } from '@qwen/agent';
import { escapeHidden } from '@qwen/protocol';
import {
  compileGlob,
  createPathResolver,
  IgnoreCheck,
  isInside,
  isPersonalSecret,
  openFile,
  splitGlob,
  toAbsolutePath,
  toFileError,
  viewFile,
  walkFiles,
} from '@qwen/tools';
import type { FileContent, ReferenceFile, ReferenceSource, ReferenceWalk, Sighting } from './reference-source.js';

export interface FileReferencesOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Absolute. Default: the working folder. */
  readonly roots?: readonly string[];
  /** Whether a deny rule hides the file. Called with names and real paths. Default: none. */
  readonly isHidden?: (path: string) => boolean;
}

const MAX_LINES = 2000;
const MAX_ENTRIES = 200_000;

/** Follows the path rules of the tools. Create one per prompt, because it caches the ignore files. */
export function createFileReferences(options: FileReferencesOptions): ReferenceSource {
  return new FileReferences(options);
}

class FileReferences implements ReferenceSource {
  readonly #cwd: string;
  readonly #roots: readonly string[];
  readonly #isHidden: (path: string) => boolean;
  readonly #checks = new Map<string, IgnoreCheck>();
  #realRoots: Promise<readonly string[]> | undefined;

  constructor({ cwd, roots = [cwd], isHidden = () => false }: FileReferencesOptions) {
    this.#cwd = cwd;
    this.#roots = roots;
    this.#isHidden = isHidden;
  }

  async look(path: string): Promise<Sighting> {
    if (path === '') return { kind: 'missing' };
    try {
      await lstat(toAbsolutePath(path, this.#cwd));
      const resolved = await this.#resolve(path);
      if (!resolved.insideRoots) return { kind: 'refused', reason: 'outside' };
      const stats = await lstat(resolved.realPath);
      if (this.#hides(resolved)) return { kind: 'refused', reason: 'hidden' };
      // Prompts are pasted, and come from other programs; a tool asks before it reads such a file.
      if (isPersonalSecret(resolved)) return { kind: 'refused', reason: 'secret' };
      if (await this.#ignores(resolved, stats.isDirectory())) return { kind: 'refused', reason: 'ignored' };
      if (stats.isDirectory()) return { kind: 'folder' };
      if (!stats.isFile()) return { kind: 'refused', reason: 'special' };
      return { kind: 'file', file: this.#toFile(resolved.path, resolved.realPath) };
    } catch {
      return { kind: 'missing' };
    }
  }

  lookAtStart(glob: string): Promise<Sighting> {
    return this.look(startOf(glob));
  }

  async *filesBelow(path: string, walk: ReferenceWalk): AsyncGenerator<ReferenceFile> {
    yield* this.#walk(path, { ...walk, accepts: isVisible });
  }

  async *filesLike(glob: string, walk: ReferenceWalk): AsyncGenerator<ReferenceFile> {
    const accepts = toMatcher(glob);
    if (accepts !== undefined) yield* this.#walk(startOf(glob), { ...walk, accepts });
  }

  async read(
    { name, realPath }: ReferenceFile,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<FileContent> {
    try {
      await using file = await openFile(realPath);
      const view = await viewFile(file, { offset: 0, limit: MAX_LINES, maxBytes, signal });
      if (view.kind === 'binary') return view;
      if (view.kind === 'image') {
        return { ...view, data: view.data.toString('base64'), bytes: view.data.length };
      }
      const { text, hasMore } = view.window;
      return { kind: 'text', text, bytes: Buffer.byteLength(text), isCut: hasMore };
    } catch (error) {
      throw toFileError(error, 'read', name);
    }
  }

  async *#walk(
    path: string,
    { signal, onCut, accepts }: ReferenceWalk & { readonly accepts: NamesTest },
  ): AsyncGenerator<ReferenceFile> {
    const { path: shown, realPath } = await this.#resolve(path);
    const root = await this.#rootOf(realPath);
    const within = namesOf(realPath, root);
    const files = walkFiles({ root, within, signal, maxEntries: MAX_ENTRIES, onCut });
    for await (const file of files) {
      const names = file.names.slice(within.length);
      if (!accepts(names)) continue;
      const named = { path: [shown, ...names].join(sep), realPath: file.path };
      if (!this.#hides(named) && !isPersonalSecret(named)) yield this.#toFile(named.path, named.realPath);
    }
  }

  #resolve(path: string): Promise<ResolvedPath> {
    return createPathResolver({ roots: this.#roots }).resolve(path, this.#cwd);
  }

  #hides({ path, realPath }: { readonly path: string; readonly realPath: string }): boolean {
    return this.#isHidden(realPath) || (path !== realPath && this.#isHidden(path));
  }

  /** Checks the real path and, for a link, the path of the link. */
  async #ignores({ path, realPath }: ResolvedPath, isFolder: boolean): Promise<boolean> {
    if (await this.#ignoresAt(await this.#rootOf(realPath), realPath, isFolder)) return true;
    const named = this.#roots.find((root) => isInside(path, root));
    return path !== realPath && named !== undefined && (await this.#ignoresAt(named, path, isFolder));
  }

  async #ignoresAt(root: string, path: string, isFolder: boolean): Promise<boolean> {
    const names = namesOf(path, root);
    if (names.length === 0) return false;
    const check = this.#checks.get(root) ?? new IgnoreCheck(root);
    this.#checks.set(root, check);
    return check.ignores(names, isFolder);
  }

  async #rootOf(realPath: string): Promise<string> {
    this.#realRoots ??= Promise.all(this.#roots.map(async (root) => (await this.#resolve(root)).realPath));
    const holding = (await this.#realRoots).filter((root) => isInside(realPath, root));
    return holding.reduce((inner, root) => (root.length > inner.length ? root : inner), holding[0] ?? realPath);
  }

  #toFile(path: string, realPath: string): ReferenceFile {
    const shown = isInside(path, this.#cwd) ? namesOf(path, this.#cwd).join('/') : path;
    return { name: escapeHidden(shown), realPath };
  }
}

function startOf(glob: string): string {
  const { folder } = splitGlob(glob);
  return folder === '' ? '.' : folder;
}

type NamesTest = (names: readonly string[]) => boolean;

/** As in a shell, dot files must be named explicitly. */
function isVisible(names: readonly string[]): boolean {
  return !names.some((name) => name.startsWith('.'));
}

/** Undefined for an invalid glob, which matches nothing. */
function toMatcher(glob: string): NamesTest | undefined {
  const { rest } = splitGlob(glob);
  try {
    const matches = compileGlob(rest);
    return /(?:^|[/{,])\./.test(rest) ? matches : (names) => isVisible(names) && matches(names);
  } catch {
    return undefined;
  }
}

function namesOf(path: string, folder: string): string[] {
  return relative(folder, path)
    .split(sep)
    .filter((name) => name !== '');
}
