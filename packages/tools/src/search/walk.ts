import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FolderRules, RULE_SOURCES, readFolderRules, rulesAbove, SKIPPED_NAMES } from './ignore-rules.js';

export interface WalkedFile {
  /** Absolute. */
  readonly path: string;
  /** From the root of the walk. */
  readonly names: readonly string[];
}

export interface WalkOptions {
  /** A real path. */
  readonly root: string;
  /** Walk only this subfolder. */
  readonly within?: readonly string[];
  readonly signal: AbortSignal;
  readonly maxEntries: number;
  /** Called once if `maxEntries` was reached. */
  readonly onCut: () => void;
}

const ENTRIES_PER_TURN = 1000;

/**
 * Regular files that are not ignored, sorted by name. Does not follow links; unreadable folders count as empty. Ends
 * on abort.
 */
export async function* walkFiles(options: WalkOptions): AsyncGenerator<WalkedFile> {
  const { root, within = [], signal, maxEntries, onCut } = options;
  const open: Step[] = [{ path: root, names: [], rules: await rulesAbove(root), isFolder: true }];
  let seen = 0;
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (signal.aborted) return;
    if (!step.isFolder) {
      yield step;
      continue;
    }
    const { entries, rules } = await readFolder(step);
    const inside: Step[] = [];
    for (const entry of entries) {
      seen += 1;
      if (seen > maxEntries) return onCut();
      if (seen % ENTRIES_PER_TURN === 0) await nextTurn();
      const path = join(step.path, entry.name);
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile()) continue;
      const wanted = within[step.names.length];
      if (wanted === undefined ? SKIPPED_NAMES.has(entry.name) : entry.name !== wanted) continue;
      if (rules?.ignores(path, isFolder)) continue;
      inside.push({ path, names: [...step.names, entry.name], rules, isFolder });
    }
    for (let index = inside.length - 1; index >= 0; index -= 1) open.push(inside[index] as Step);
  }
}

interface Step extends WalkedFile {
  readonly rules: FolderRules | undefined;
  readonly isFolder: boolean;
}

async function readFolder({ path, rules }: Step): Promise<{ entries: Dirent[]; rules: FolderRules | undefined }> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  entries.sort((a, b) => compareNames(a.name, b.name));
  const hasRules = entries.some(({ name }) => RULE_SOURCES.includes(name));
  return { entries, rules: hasRules ? await readFolderRules(path, rules) : rules };
}

/** By code unit, independent of the locale. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
