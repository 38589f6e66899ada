import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as z from 'zod/mini';
import { closureOf, type InstalledPackage } from '../harness/closure.ts';
import type { Bench, Figure } from '../harness/figure.ts';
import { bytesBelow, installOffline, pack } from '../harness/pack.ts';
import { createWorkspace, type Workspace } from '../harness/workspace.ts';

const MIB = 1024 * 1024;
const SDK_FOLDER = join(import.meta.dirname, '..', '..', 'packages', 'sdk');

/**
 * Disk usage of `npm install @qwen/sdk`, including the CLI: packed as published, installed offline from tarballs.
 * First without optional packages, then with those of this platform (ripgrep).
 */
export const installSize: Bench = async () => {
  await using workspace = await createWorkspace();
  const closure = await closureOf(SDK_FOLDER);
  const lean = await install(
    workspace,
    'lean',
    closure.filter((each) => !each.optional),
  );
  const full = await install(workspace, 'full', closure);
  const figures: Figure[] = [
    {
      name: '@qwen/sdk installed, CLI included',
      value: lean.bytes / MIB,
      unit: 'MiB',
      target: { of: 'value', atMost: 30 },
    },
    { name: 'packages', value: lean.packages, unit: 'packages' },
    { name: 'install scripts', value: full.installScripts, unit: 'scripts', target: { of: 'value', atMost: 0 } },
    { name: 'optional ripgrep, added', value: (full.bytes - lean.bytes) / MIB, unit: 'MiB' },
  ];
  return figures;
};

/** npm's own metadata. */
const lockfileSchema = z.object({
  packages: z.record(z.string(), z.object({ hasInstallScript: z.optional(z.boolean()) })),
});

interface Installation {
  readonly bytes: number;
  readonly packages: number;
  readonly installScripts: number;
}

async function install(
  workspace: Workspace,
  name: string,
  closure: readonly InstalledPackage[],
): Promise<Installation> {
  const tarballs = join(workspace.root, 'tarballs');
  const folder = join(workspace.root, name);
  await Promise.all([mkdir(tarballs, { recursive: true }), mkdir(folder)]);
  const dependencies: Record<string, string> = {};
  for (const each of closure) dependencies[each.name] = `file:${relative(folder, await pack(each, tarballs))}`;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await installOffline(folder, closure.some((each) => each.optional) ? [] : ['--omit=optional']);

  const installed = join(folder, 'node_modules');
  const lockfile = lockfileSchema.parse(JSON.parse(await readFile(join(installed, '.package-lock.json'), 'utf8')));
  const packages = Object.values(lockfile.packages);
  return {
    bytes: await bytesBelow(installed),
    packages: packages.length,
    installScripts: packages.filter((each) => each.hasInstallScript === true).length,
  };
}
