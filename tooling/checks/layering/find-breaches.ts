import { isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path/posix';
import type { ImportedModule } from './read-source.js';
import * as rules from './rules.js';
import {
  findCycles,
  loadedWith,
  type OutsideFile,
  readOutside,
  readSourceTree,
  resolveImport,
  type SourceFile,
  type SourceTree,
} from './source-tree.js';

/** Every breach under `root`, as `path: problem`, sorted. */
export function findBreaches(root: string): string[] {
  const tree = readSourceTree(root);
  const breaches = [...tree.values()].flatMap((file) => fileBreaches(tree, file));
  for (const cycle of findCycles(tree)) breaches.push(`${cycle[0]}: imports itself by way of ${cycle.join(' → ')}`);
  for (const entry of rules.PURE_ENTRIES) {
    for (const file of loadedWith(tree, entry)) {
      for (const what of impurities(file)) breaches.push(`${file.path}: loads with ${entry} and uses ${what}`);
    }
  }
  breaches.push(...readOutside(root).flatMap(outsideBreaches));
  for (const entry of rules.QUICK_ENTRIES) breaches.push(...heavyImports(tree, entry));
  return [...new Set(breaches)].toSorted();
}

function fileBreaches(tree: SourceTree, file: SourceFile): string[] {
  const found = file.path
    .split('/')
    .slice(0, -1)
    .filter((segment) => rules.BANNED_FOLDERS.includes(segment))
    .map((segment) => `folder called ${segment}`);
  if (!rules.FILE_NAME.test(basename(file.path))) found.push('a name that is not kebab-case');
  if (file.hasExportAll) found.push('export *');
  found.push(...file.habits);
  found.push(...file.imports.flatMap((imported) => importBreach(file, imported) ?? []));
  if (!file.isTest) {
    if (file.writesStdout && !rules.STDOUT_OWNERS.includes(file.path)) found.push('writes to stdout');
    found.push(...rules.FOLDER_RULES.flatMap((rule) => folderBreaches(tree, file, rule)));
  }
  return found.map((what) => `${file.path}: ${what}`);
}

function importBreach(file: SourceFile, imported: ImportedModule): string | undefined {
  const { specifier } = imported;
  if (rules.BANNED_MODULES.includes(specifier)) return `imports ${specifier}`;
  if (specifier.startsWith('.')) return relativeBreach(file, specifier);
  if (reachesInto(specifier)) return `reaches into ${specifier}`;
  if (file.isTest) return undefined;
  const rule = rules.PACKAGE_RULES[file.packageName];
  if (rule === undefined) return `package ${file.packageName} has no place in the layering`;
  const own = /^@qwen\/([^/]+)/.exec(specifier)?.[1];
  const allowed = own === undefined ? externalAllowed(rule, imported) : ownAllowed(rule, own, imported);
  return allowed ? undefined : `imports ${specifier}${imported.kind === 'type' ? ' (types)' : ''}`;
}

function outsideBreaches({ path, home, imports }: OutsideFile): string[] {
  const found = imports.flatMap(({ specifier }) =>
    specifier.startsWith('.')
      ? (leaves({ path, home }, specifier) ?? [])
      : reachesInto(specifier)
        ? `reaches into ${specifier}`
        : [],
  );
  return found.map((what) => `${path}: ${what}`);
}

function reachesInto(specifier: string): boolean {
  return /^@qwen\/[^/]+\/(src|dist)(\/|$)|(^|\/)packages\//.test(specifier);
}

function relativeBreach({ path, packageName, isTest }: SourceFile, specifier: string): string | undefined {
  return leaves({ path, home: `packages/${packageName}/${isTest ? '' : 'src/'}` }, specifier);
}

function leaves({ path, home }: Pick<OutsideFile, 'path' | 'home'>, specifier: string): string | undefined {
  return join(dirname(path), specifier).startsWith(home) ? undefined : `leaves ${home} by ${specifier}`;
}

function ownAllowed(rule: rules.PackageRule, name: string, { kind, specifier }: ImportedModule): boolean {
  if (rule.imports.includes(name) || rule.located?.includes(specifier) === true) return true;
  if (kind === 'type') return (rule.types ?? []).includes(name) || (rule.onDemand ?? []).includes(name);
  return kind === 'dynamic' && (rule.onDemand ?? []).includes(name);
}

function externalAllowed(rule: rules.PackageRule, { specifier }: ImportedModule): boolean {
  const covers = (name: string) => specifier === name || specifier.startsWith(`${name}/`);
  return !(rule.banned ?? []).some(covers) && (rule.external?.some(covers) ?? true);
}

function folderBreaches(tree: SourceTree, file: SourceFile, rule: rules.FolderRule): string[] {
  if (!rule.files.test(file.path)) return [];
  const reached = file.imports.map(({ specifier }) => resolveImport(tree, file.path, specifier)?.path ?? '');
  const found = reached.filter((path) => path !== file.path && rule.bannedFiles?.test(path) === true);
  if (rule.pure === true) found.push(...impurities(file));
  return found.map((what) => `${rule.rule}: ${what}`);
}

function impurities(file: SourceFile): string[] {
  const builtins = file.imports.filter(({ specifier, kind }) => kind !== 'type' && isBuiltin(specifier));
  return [...builtins.map(({ specifier }) => specifier), ...file.globals];
}

function heavyImports(tree: SourceTree, entry: string): string[] {
  return loadedWith(tree, entry).flatMap((file) =>
    file.imports
      .filter(({ kind }) => kind === 'static')
      .filter(({ specifier }) =>
        rules.HEAVY_LIBRARIES.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
      )
      .map(({ specifier }) => `${file.path}: loads ${specifier} when ${entry} starts`),
  );
}
