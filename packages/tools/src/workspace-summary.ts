import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { escapeHidden } from '@qwen/protocol';
import { realPathFor } from './paths/path-resolver.js';
import { IgnoreCheck } from './search/ignore-check.js';
import { compareNames } from './search/walk.js';
import { cutLine } from './truncate.js';

const MAX_STATUS_MS = 1000;
const MAX_CHANGES = 12;
const MAX_NAMES = 60;
const MAX_LINE_LENGTH = 600;

/** Others could be sentences, which do not belong into a system prompt. */
const PLAIN_NAME = /^[\w.@+/-]{1,80}$/;

/**
 * A few lines about a workspace for the system prompt: branch and changes of git, names in the top folder. Runs no
 * program of the workspace. Never rejects; leaves out what cannot be read or takes long.
 */
export async function summarizeWorkspace(cwd: string): Promise<string> {
  const [git, names] = await Promise.all([gitLine(cwd).catch(() => ''), namesLine(cwd).catch(() => '')]);
  return [git, names].filter((line) => line !== '').join('\n');
}

async function gitLine(cwd: string): Promise<string> {
  const workspace = await realPathFor(cwd, {});
  if (!(await isInRepository(workspace))) return '';
  // Loads for repositories only.
  const { readWithGit } = await import('./shell/git-guard.js');
  const args = ['status', '--porcelain', '--branch', '--ignore-submodules=all'];
  const status = await readWithGit(workspace, args, MAX_STATUS_MS);
  if (status === undefined || status === '') return '';
  const [head = '', ...changes] = status.split('\n').filter((line) => line !== '');
  const name = /^## (?:No commits yet on )?(.+?)(?:\.\.\.|$)/.exec(head)?.[1] ?? '';
  const branch = PLAIN_NAME.test(name) ? name : 'unknown';
  if (changes.length === 0) return shortLine(`Git: branch ${branch}, no changes`);
  const more = changes.length > MAX_CHANGES ? ', …' : '';
  const shown = changes
    .map((change) => change.trim())
    .filter((change) => PLAIN_NAME.test(change.replace(/^\S+ +/, '')));
  return shortLine(
    `Git: branch ${branch}, ${changes.length} changed: ${shown.slice(0, MAX_CHANGES).join(', ')}${more}`,
  );
}

async function isInRepository(folder: string): Promise<boolean> {
  const hasOne = await stat(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  return hasOne || (dirname(folder) !== folder && (await isInRepository(dirname(folder))));
}

async function namesLine(cwd: string): Promise<string> {
  const check = new IgnoreCheck(await realPathFor(cwd, {}));
  const found = (await readdir(cwd, { withFileTypes: true })).toSorted((a, b) => compareNames(a.name, b.name));
  const names: string[] = [];
  for (const entry of found) {
    if (entry.name === '.git' || !PLAIN_NAME.test(entry.name)) continue;
    if (await check.ignores([entry.name], entry.isDirectory())) continue;
    names.push(entry.isDirectory() ? `${entry.name}/${await countOf(join(cwd, entry.name))}` : entry.name);
    if (names.length > MAX_NAMES) break;
  }
  if (names.length === 0) return '';
  const more = names.length > MAX_NAMES ? ', …' : '';
  return shortLine(`Top folder: ${names.slice(0, MAX_NAMES).join(', ')}${more}`);
}

/** ` (3)`: how many names a folder has. */
async function countOf(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  return ` (${names.length})`;
}

function shortLine(line: string): string {
  return cutLine(escapeHidden(line), MAX_LINE_LENGTH);
}
