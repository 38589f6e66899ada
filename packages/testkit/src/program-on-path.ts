import { spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { delimiter } from 'node:path';
import type { TemporaryFolder } from './temporary-folder.js';

/**
 * Installs a program on the search path and returns the value of `PATH`. It runs with the Node.js of the tests. Not
 * for Windows.
 */
export async function programOnPath(folder: TemporaryFolder, name: string, file: string): Promise<string> {
  const program = await folder.write(`bin/${name}`, `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`);
  await chmod(program, 0o755);
  return [folder.resolve('bin'), process.env['PATH'] ?? ''].join(delimiter);
}

/** Whether all of them are installed. Tests that need them are skipped elsewhere; `.ci/run` installs them. */
export function hasPrograms(...names: readonly string[]): boolean {
  return names.every((name) => spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name]).status === 0);
}
