import { isAbsolute, type PlatformPath, relative, sep } from 'node:path';

/** The rules of a system that tell whether one folder is in another. */
export type FolderRules = Pick<PlatformPath, 'isAbsolute' | 'relative' | 'sep'>;

/** A folder as people write it: `~` for the home folder. Another drive, or a folder beside it, stays whole. */
export function shortenHome(folder: string, home: string, rules: FolderRules = { isAbsolute, relative, sep }): string {
  const inside = rules.relative(home, folder);
  if (inside === '') return '~';
  return inside.split(rules.sep)[0] === '..' || rules.isAbsolute(inside) ? folder : `~${rules.sep}${inside}`;
}
