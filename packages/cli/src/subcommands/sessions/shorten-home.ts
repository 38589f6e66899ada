import { isAbsolute, type PlatformPath, relative, sep } from 'node:path';

export type FolderRules = Pick<PlatformPath, 'isAbsolute' | 'relative' | 'sep'>;

/** Abbreviates the home directory as `~`. */
export function shortenHome(folder: string, home: string, rules: FolderRules = { isAbsolute, relative, sep }): string {
  const inside = rules.relative(home, folder);
  if (inside === '') return '~';
  return inside.split(rules.sep)[0] === '..' || rules.isAbsolute(inside) ? folder : `~${rules.sep}${inside}`;
}
