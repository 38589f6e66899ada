import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import type { InstalledPackage } from './closure.ts';

const run = promisify(execFile);
const manifestSchema = z.looseObject({ packageManager: z.string() });
const ROOT = join(import.meta.dirname, '..', '..');

/** Resolves with the path of the tarball, which has the contents to be published. */
export async function pack({ name, folder: source }: InstalledPackage, folder: string): Promise<string> {
  // Scripts of other packages would need their sources.
  await runPnpm(['--config.ignore-scripts=true', 'pack', '--pack-destination', folder], source);
  const stem = name.replace('@', '').replace('/', '-');
  const tarball = (await readdir(folder)).find((file) => file.replace(/-\d.*$/, '') === stem);
  if (tarball === undefined) throw new Error(`no tarball of ${name} in ${folder}`);
  return join(folder, tarball);
}

/** Installs with npm from tarballs, offline. */
export async function installOffline(folder: string, args: readonly string[]): Promise<void> {
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...args], { cwd: folder });
}

export async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The running pnpm, else the pinned one. */
async function runPnpm(args: readonly string[], cwd: string): Promise<void> {
  const running = process.env['npm_execpath'] ?? '';
  if (running.includes('pnpm')) {
    await (/\.[cm]?js$/.test(running)
      ? run(process.execPath, [running, ...args], { cwd })
      : run(running, args, { cwd }));
    return;
  }
  const { packageManager } = manifestSchema.parse(JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')));
  await run('npx', ['-y', packageManager, ...args], { cwd });
}
