import { execFile } from 'node:child_process';
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListingScope } from '@qwen/agent';
import { askGit } from '../shell/git-guard.js';
import { findProgram } from './find-program.js';

const MAX_ENTRIES = 50_000;
const MAX_LISTED_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 5000;
const MAX_EXPANDED = 2000;
/** Names are hashes. */
const OBJECTS = /\/\.git\/(?:objects|lfs\/objects)$/;

/** See `PathResolver.list`. Links are followed; their targets are listed by their real paths. */
export async function listFiles(folder: string, scope: ListingScope): Promise<readonly string[] | undefined> {
  if (scope === 'tracked') return trackedFiles(folder);
  if (scope === 'visible') {
    const searched = await searchedFiles(folder);
    if (searched !== undefined) return searched;
    const known = await askGit(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
    if (known !== undefined && known !== '')
      return names(known, folder).filter((name) => !isHidden(name.slice(folder.length)));
  }
  return walk(folder, scope === 'visible');
}

async function trackedFiles(folder: string): Promise<readonly string[] | undefined> {
  const top = await askGit(folder, ['rev-parse', '--show-toplevel']);
  // Without a repository, git shows nothing.
  if (top === undefined || top === '') return [];
  const listed = await askGit(top, ['ls-files', '-z']);
  return listed === undefined ? undefined : names(listed, top);
}

/** The files that ripgrep searches: a file such as `.ignore` can add hidden and ignored ones. Undefined without ripgrep. */
function searchedFiles(folder: string): Promise<readonly string[] | undefined> {
  const rg = findProgram('rg', { project: folder });
  if (rg === undefined) return Promise.resolve(undefined);
  const options = { cwd: folder, maxBuffer: MAX_LISTED_BYTES, timeout: TIMEOUT_MS, encoding: 'utf8' } as const;
  return new Promise((settle) => {
    const args = ['--files', '--null', '--no-messages'];
    const child = execFile(rg, args, options, (error, stdout) => {
      // It exits with 1 if there are no files, and with 2 if it could not read one.
      const isKnown = error === null || error.code === 1 || error.code === 2;
      settle(isKnown ? names(stdout, folder) : undefined);
    });
    child.stdin?.end();
  });
}

function names(listed: string, folder: string): string[] {
  return listed.split('\0').flatMap((name) => (name === '' ? [] : [join(folder, name)]));
}

function isHidden(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.'));
}

async function walk(root: string, isVisible: boolean): Promise<readonly string[] | undefined> {
  const found: string[] = [];
  const seen = new Set([root]);
  for (const folder of seen) {
    if (OBJECTS.test(folder)) continue;
    for (const entry of await entriesOf(folder)) {
      if (isVisible && entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      found.push(path);
      if (found.length > MAX_ENTRIES) return undefined;
      if (entry.isDirectory()) seen.add(path);
      if (!entry.isSymbolicLink()) continue;
      const target = await realpath(path).catch(() => undefined);
      if (target === undefined) continue;
      found.push(target);
      if ((await stat(target).catch(() => undefined))?.isDirectory() === true) seen.add(target);
    }
  }
  return found;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

/** See `PathResolver.expand`. May give more than the shell does, never less. */
export async function expandPattern(pattern: string): Promise<readonly string[] | undefined> {
  let paths = [''];
  for (const segment of pattern.split('/').filter((name) => name !== '' && name !== '.')) {
    if (!/[*?[]/.test(segment)) {
      paths = paths.map((path) => `${path}/${segment}`);
      continue;
    }
    const matches = segmentPattern(segment);
    const expanded: string[] = [];
    for (const path of paths) {
      const inside = (await entriesOf(path === '' ? '/' : path)).map(({ name }) => name);
      if (segment.startsWith('.')) inside.push('.', '..');
      expanded.push(...inside.filter((name) => matches.test(name)).map((name) => `${path}/${name}`));
      if (expanded.length > MAX_EXPANDED) return undefined;
    }
    paths = expanded;
  }
  return paths;
}

/** Wildcards match no leading dot. Ranges depend on the language, so that any set of characters ignores the case. */
function segmentPattern(segment: string): RegExp {
  const parts = segment.match(/\[[!^]?[\w.-]+\]|\[.*$|[\s\S]/gu) ?? [];
  const text = parts.map((part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    if (!part.startsWith('[')) return part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    return /^\[[\w.]+\]$/.test(part) ? part : '.*';
  });
  return new RegExp(`^${segment.startsWith('.') ? '' : String.raw`(?!\.)`}${text.join('')}$`, 'isu');
}
