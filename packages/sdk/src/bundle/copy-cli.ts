import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { COPY_FOLDER, installedScript } from '../transport/process/find-cli.js';

/**
 * Copies the installed CLI into `folder`, where the SDK of a bundled app finds it: the folder of the bundle, of the
 * executable, or the resources of an Electron app. Replaces an earlier copy.
 *
 * @example
 * import { copyCli } from '@qwen/sdk/bundle';
 *
 * // After the bundler has written dist/server.js:
 * await copyCli('dist');
 *
 * @returns the absolute path of the copied script, for `pathToQwenExecutable`.
 * @throws {AgentError} `cli_not_found`.
 */
export async function copyCli(folder: string): Promise<string> {
  const script = installedScript();
  if (script === undefined) {
    throw new AgentError('cli_not_found', 'Could not find the qwen CLI to copy. Install @qwen/cli.');
  }
  const source = dirname(dirname(script));
  const target = join(resolve(folder), COPY_FOLDER);
  if (source !== (await realpath(target).catch(() => target))) await replaceFolder(target, source);
  return join(target, 'bin', 'qwen.js');
}

async function replaceFolder(target: string, source: string): Promise<void> {
  const prepared = `${target}-${randomUUID()}`;
  try {
    await copyFolder(source, prepared);
    for (const [name, from] of searchProgram(source)) await copyFolder(from, join(prepared, 'node_modules', name));
    await rm(target, { recursive: true, force: true });
    await rename(prepared, target);
  } catch (error) {
    await rm(prepared, { recursive: true, force: true });
    if (!isTaken(error)) throw error;
  }
}

/** Another build has put its copy there; Windows calls that EPERM. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(String(error.code));
}

/** ripgrep, by package name: the CLI works without it, but searches more slowly. */
function searchProgram(cli: string): (readonly [string, string])[] {
  try {
    const library = createRequire(join(cli, 'bin', 'qwen.js')).resolve('@vscode/ripgrep');
    const binary = `@vscode/ripgrep-${process.platform}-${process.arch}`;
    return [
      ['@vscode/ripgrep', dirname(dirname(library))],
      [binary, dirname(createRequire(library).resolve(`${binary}/package.json`))],
    ];
  } catch {
    return [];
  }
}

/** Without nested `node_modules`. Not `fs.cp`, which cannot read the archives of Yarn Plug'n'Play. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (entry.isFile()) await copyFile(join(from, entry.name), join(to, entry.name));
    else if (entry.isDirectory() && entry.name !== 'node_modules') {
      await copyFolder(join(from, entry.name), join(to, entry.name));
    }
  }
}
