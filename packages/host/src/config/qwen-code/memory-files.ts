import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ancestorsOf } from '../ancestors.js';

/** May be missing. */
export function memoryFiles({
  configDir,
  cwd,
}: {
  readonly configDir: string;
  readonly cwd: string;
}): readonly string[] {
  const projects = join(configDir, 'projects');
  if (!existsSync(projects)) return [];
  const root = ancestorsOf(cwd).find((folder) => existsSync(join(folder, '.git'))) ?? resolve(cwd);
  const name = root.replaceAll(/[^a-zA-Z0-9]/g, '-');
  return [join(configDir, 'memories', 'MEMORY.md'), join(projects, name, 'memory', 'MEMORY.md')];
}
