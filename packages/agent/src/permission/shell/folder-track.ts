/** More candidates than these, and the folder counts as unknown. */
const MAX_FOLDERS = 8;

/** No folder that people made lies deeper; a deeper one counts as unknown (S18). */
const MAX_STEPS = 60;

/** The folders in which a command may run; undefined when unknown (S21). */
export type Folders = readonly string[] | undefined;

/** The folders after `cd target`, if that succeeds. */
export function foldersAfter(folders: Folders, target: string): Folders {
  if (folders === undefined || target === '' || target.startsWith('-') || target.startsWith('~')) return undefined;
  const moved = folders.map((folder) => normalize(target.startsWith('/') ? target : `${folder}/${target}`));
  if (moved.some((folder) => folder.split('/').length > MAX_STEPS)) return undefined;
  // What `..` means above the first folder depends on links that the text does not show.
  const start = folders[0] ?? '/';
  if (target.split('/').includes('..') && !moved.every((folder) => isBelow(folder, start))) return undefined;
  return moved;
}

/** Either of the two. */
export function eitherFolder(left: Folders, right: Folders): Folders {
  if (left === undefined || right === undefined) return undefined;
  const all = [...new Set([...left, ...right])];
  return all.length > MAX_FOLDERS ? undefined : all;
}

/** The file of this name in each of the folders, `..` left in; undefined when a folder is not known. */
export function filesIn(folders: Folders, name: string): readonly string[] | undefined {
  if (name.startsWith('/')) return [name];
  return folders?.map((folder) => (name === '' || name === '.' ? folder : `${folder.replace(/\/$/, '')}/${name}`));
}

function normalize(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
