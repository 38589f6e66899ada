import { dirname, type PlatformPath } from 'node:path';

/** Up to the root of the drive, share or file system. */
export function ancestorsOf(folder: string, rules: Pick<PlatformPath, 'dirname'> = { dirname }): readonly string[] {
  const folders = [folder];
  for (let above = rules.dirname(folder); above !== folders.at(-1); above = rules.dirname(above)) folders.push(above);
  return folders;
}
