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
