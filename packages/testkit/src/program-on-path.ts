import { chmod } from 'node:fs/promises';
import { delimiter } from 'node:path';
import type { TemporaryFolder } from './temporary-folder.js';

/**
 * Puts a program of ours on the search path under the name that people type, as installing it would. Gives the value of
 * `PATH` with it in front. The Node.js of the tests runs it, whatever else is on the path. Not for Windows.
 */
export async function programOnPath(folder: TemporaryFolder, name: string, file: string): Promise<string> {
  const program = await folder.write(`bin/${name}`, `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`);
  await chmod(program, 0o755);
  return [folder.resolve('bin'), process.env['PATH'] ?? ''].join(delimiter);
}
