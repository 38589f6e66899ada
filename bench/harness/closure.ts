import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';

const names = z.optional(z.record(z.string(), z.string()));
const manifestSchema = z.looseObject({
  name: z.string(),
  dependencies: names,
  optionalDependencies: names,
});

/** An installed package. */
export interface InstalledPackage {
  readonly name: string;
  readonly folder: string;
  /** Only reached through optional dependencies. */
  readonly optional: boolean;
}

/**
 * The package and its dependencies as installed here. Skips optional packages that are missing; rejects if another
 * one is missing.
 */
export async function closureOf(folder: string): Promise<InstalledPackage[]> {
  const found = new Map<string, InstalledPackage>();
  const visit = async (at: string, optional: boolean): Promise<void> => {
    const manifest = manifestSchema.parse(JSON.parse(await readFile(join(at, 'package.json'), 'utf8')));
    const known = found.get(manifest.name);
    if (known !== undefined && (optional || !known.optional)) return;
    found.set(manifest.name, { name: manifest.name, folder: at, optional });
    for (const name of Object.keys(manifest.dependencies ?? {})) await visit(await locate(name, at), optional);
    for (const name of Object.keys(manifest.optionalDependencies ?? {})) {
      const there = await locate(name, at).catch(() => undefined);
      if (there !== undefined) await visit(there, true);
    }
  };
  await visit(await realpath(folder), false);
  return [...found.values()];
}

/** Resolves like Node.js: `node_modules` of each parent folder. */
async function locate(name: string, from: string): Promise<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpath(candidate);
    if (folder === dirname(folder)) throw new Error(`${name} is not installed for ${from}`);
  }
}
