import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { whyNoRoot } from '@qwen/tools/roots';

/** Additional folders as they were named, and where. */
export interface MoreRootsInput {
  /** Absolute path of the workspace, which is exempt. */
  readonly cwd: string;
  readonly homeDirectory: string;
  /** Absolute. */
  readonly fromSettings: readonly string[];
  /** Absolute or relative to `cwd`. */
  readonly fromFlags: readonly string[];
}

/**
 * The real paths of the folders that count as the workspace too. Throws `usage` for a flag and `invalid_settings` for a
 * setting that names the root of a file system, the home folder or one around it, or a folder of the system, by
 * whatever links (S42).
 */
export function chooseMoreRoots({ cwd, homeDirectory, fromSettings, fromFlags }: MoreRootsInput): readonly string[] {
  const places = { cwd, homeDirectory };
  return [
    ...fromSettings.map((path) =>
      realRoot({ path, source: 'permissions.additionalDirectories', code: 'invalid_settings' }, places),
    ),
    ...fromFlags.map((path) => realRoot({ path, source: '--include-directories', code: 'usage' }, places)),
  ];
}

/** A folder that is to count from now on. */
export interface AddedRoot extends Pick<MoreRootsInput, 'cwd' | 'homeDirectory'> {
  /** The folders that count already; the new one is added. */
  readonly roots: string[];
}

/**
 * Adds a folder to those of a running session and gives its real path. `~` is the home folder. Throws `invalid_payload`
 * for what is no folder, cannot count, or counts already.
 */
export function addRoot(path: string, { cwd, homeDirectory, roots }: AddedRoot): string {
  const named = path.replace(/^~(?=$|[\\/])/, homeDirectory);
  const root = realRoot({ path: named, source: '/directory add', code: 'invalid_payload' }, { cwd, homeDirectory });
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new AgentError('invalid_payload', `${path} is no folder.`, { data: { path } });
  }
  if (roots.some((one) => realPathOf(one) === root)) {
    throw new AgentError('invalid_payload', `${path} is in the workspace already.`, { data: { path } });
  }
  roots.push(root);
  return root;
}

interface NamedRoot {
  readonly path: string;
  readonly source: string;
  readonly code: 'usage' | 'invalid_settings' | 'invalid_payload';
}

function realRoot({ path, source, code }: NamedRoot, places: Pick<MoreRootsInput, 'cwd' | 'homeDirectory'>): string {
  const root = realPathOf(resolve(places.cwd, path));
  if (root === realPathOf(places.cwd)) return root;
  const what = whyNoRoot(root, realPathOf(places.homeDirectory));
  if (what === undefined) return root;
  throw new AgentError(code, `${source}: "${path}" is ${what}, which cannot count as the workspace`, {
    data: { source, path, realPath: root },
  });
}

/** A folder that is not there yet counts by the real path of what is there, so that no link can be slipped in above. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : resolve(realPathOf(parent), path.slice(parent.length).replace(/^[\\/]/, ''));
  }
}
