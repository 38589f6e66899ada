import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { findHabits } from './find-habits.js';
import { type ImportedModule, readSource, type SourceFacts } from './read-source.js';
import { parse } from './syntax.js';

export interface SourceFile extends SourceFacts {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  /** Folder name of the package. */
  readonly packageName: string;
  /** Tests and contract suites: they may use what ships nowhere. */
  readonly isTest: boolean;
  /** What the file does that no file should. */
  readonly habits: readonly string[];
}

/** Programs and tests outside of `src`: packages of the workspace, of which other files are private. */
const OUTSIDE_SOURCE = '{packages/*/{test,scripts},e2e,bench,examples,tooling}/**/*.{ts,tsx,mjs}';

/** A file outside of `src`: it may do anything except import the files of another package. */
export interface OutsideFile {
  readonly path: string;
  /** The folder of its package, with a slash at the end. */
  readonly home: string;
  readonly imports: readonly ImportedModule[];
}

export function readOutside(root: string): OutsideFile[] {
  const exclude = (path: string): boolean => /(?:^|[\\/])(?:node_modules|dist|fixtures|tasks)(?:$|[\\/])/.test(path);
  return globSync(OUTSIDE_SOURCE, { cwd: root, exclude })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => {
      const home = /^(?:packages\/[^/]+|[^/]+)\//.exec(path)?.[0] ?? '';
      const language = path.endsWith('.tsx') ? 'tsx' : 'ts';
      return { path, home, imports: readSource(parse(readFileSync(join(root, path), 'utf8'), language)).imports };
    });
}

/** Every TypeScript file under `packages/<name>/src`, by path. */
export type SourceTree = ReadonlyMap<string, SourceFile>;

export function readSourceTree(root: string): SourceTree {
  const paths = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  return new Map(
    paths.toSorted().map((path) => {
      const packageName = path.split('/')[1] ?? '';
      const isTest = /\.(test|test-d|contract|examples)\.tsx?$/.test(path);
      const text = readFileSync(join(root, path), 'utf8');
      const program = parse(text, path.endsWith('.tsx') ? 'tsx' : 'ts');
      const habits = findHabits(text, { isTest, program });
      return [path, { path, packageName, isTest, habits, ...readSource(program) }];
    }),
  );
}

/**
 * The file of ours that an import leads to: a relative path, or the source entry of a package of ours. Undefined for
 * packages of others and for what does not exist.
 */
export function resolveImport(tree: SourceTree, from: string, specifier: string): SourceFile | undefined {
  const own = /^@qwen\/([^/]+)(?:\/(.+))?$/.exec(specifier);
  if (own !== null) {
    const base = `packages/${own[1]}/src/${own[2]?.replace(/\.js$/, '') ?? 'index'}`;
    return tree.get(`${base}.ts`) ?? tree.get(`${base}.tsx`) ?? tree.get(`${base}/index.ts`);
  }
  if (!specifier.startsWith('.')) return undefined;
  const target = normalize(join(dirname(from), specifier)).replace(/\.js$/, '');
  return tree.get(`${target}.ts`) ?? tree.get(`${target}.tsx`);
}

/** All files that load together with `entry`: static imports, followed through packages of ours. */
export function loadedWith(tree: SourceTree, entry: string): SourceFile[] {
  const seen = new Set<SourceFile>();
  const follow = (file: SourceFile | undefined): void => {
    if (file === undefined || seen.has(file)) return;
    seen.add(file);
    for (const { specifier, kind } of file.imports) {
      if (kind === 'static') follow(resolveImport(tree, file.path, specifier));
    }
  };
  follow(tree.get(entry));
  return [...seen];
}

/** Each import cycle once, as the paths along it. Type imports count, imports on demand do not. */
export function findCycles(tree: SourceTree): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: SourceFile, trail: readonly string[]): void => {
    const at = trail.indexOf(file.path);
    if (at !== -1) cycles.push([...trail.slice(at), file.path]);
    if (at !== -1 || done.has(file.path)) return;
    for (const { specifier, kind } of file.imports) {
      // A module that loads on demand does not take part in the order of loading.
      const next = kind === 'dynamic' ? undefined : resolveImport(tree, file.path, specifier);
      if (next !== undefined) visit(next, [...trail, file.path]);
    }
    done.add(file.path);
  };
  for (const file of tree.values()) visit(file, []);
  return cycles;
}
