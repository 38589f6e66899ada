import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { isInside, realPathOf } from '@qwen/agent/node';
import { AgentError } from '@qwen/protocol';
import { rootProblem } from '@qwen/tools/roots';
import * as z from 'zod/mini';

export interface AdditionalRootsInput {
  readonly cwd: string;
  readonly homeDirectory: string;
  /** Real paths: additional folders must be one of these or below. Empty: no limit. */
  readonly limits: readonly string[];
  readonly fromSettings: readonly string[];
  /** Skipped unless they are folders that can be added. */
  readonly ifPresent?: readonly string[];
  /** Absolute, or relative to `cwd`. */
  readonly fromFlags: readonly string[];
}

/**
 * The real paths of additional workspace folders. Throws `usage` (flag) or `invalid_settings` (setting) for a file
 * system root, the home folder or one above it, or a system folder, also through links.
 */
export function chooseAdditionalRoots({
  fromSettings,
  ifPresent = [],
  fromFlags,
  ...places
}: AdditionalRootsInput): readonly string[] {
  return [
    ...fromSettings.map((path) =>
      realRoot({ path, source: 'permissions.additionalDirectories', code: 'invalid_settings' }, places),
    ),
    ...ifPresent.flatMap((path) => presentRoot(path, places)),
    ...fromFlags.map((path) => realRoot({ path, source: '--include-directories', code: 'usage' }, places)),
  ];
}

export function presentRoot(path: string, places: RootContext): readonly string[] {
  try {
    const named = path.replace(/^~(?=$|[\\/])/, places.homeDirectory);
    const root = realRoot({ path: named, source: 'context.includeDirectories', code: 'invalid_settings' }, places);
    return statSync(root, { throwIfNoEntry: false })?.isDirectory() === true ? [root] : [];
  } catch {
    return [];
  }
}

type RootContext = Pick<AdditionalRootsInput, 'cwd' | 'homeDirectory' | 'limits'>;

export interface AddedRoot extends RootContext {
  readonly roots: string[];
}

/**
 * Adds a folder to a running session and returns its real path. `~` is the home folder. Throws `invalid_payload` for
 * a folder that does not exist, is not allowed, or was already added.
 */
export function addRoot(path: string, { roots, ...places }: AddedRoot): string {
  const named = path.replace(/^~(?=$|[\\/])/, places.homeDirectory);
  const root = realRoot({ path: named, source: '/directory add', code: 'invalid_payload' }, places);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new AgentError('invalid_payload', `${path} is not a folder.`, { data: { path } });
  }
  if (roots.some((one) => toRealPath(one) === root)) {
    throw new AgentError('invalid_payload', `${path} is already in the workspace.`, { data: { path } });
  }
  roots.push(root);
  return root;
}

interface NamedRoot {
  readonly path: string;
  readonly source: string;
  readonly code: 'usage' | 'invalid_settings' | 'invalid_payload';
}

function realRoot({ path, source, code }: NamedRoot, places: RootContext): string {
  const root = toRealPath(resolve(places.cwd, path));
  if (root === toRealPath(places.cwd)) return root;
  const isLimited = places.limits.length > 0 && !places.limits.some((limit) => isInside(root, limit));
  const what = isLimited ? 'outside the allowed folders' : rootProblem(root, toRealPath(places.homeDirectory));
  if (what === undefined) return root;
  throw new AgentError(code, `${source}: "${path}" is ${what}, which cannot be added to the workspace`, {
    data: { source, path, realPath: root },
  });
}

/** Throws `usage`: ignoring the limit is not safe. */
export function readRootLimits(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  try {
    return z.array(z.string().check(z.refine(isAbsolute))).parse(JSON.parse(text));
  } catch (cause) {
    throw new AgentError('usage', 'QWEN_WORKSPACE_ROOTS must be a JSON array of absolute paths.', { cause });
  }
}

/**
 * For a missing folder, the real path of its nearest existing ancestor counts, so that no link can be inserted above
 * it.
 */
function toRealPath(path: string): string {
  const parent = dirname(path);
  return realPathOf(path) ?? (parent === path ? path : resolve(toRealPath(parent), basename(path)));
}
