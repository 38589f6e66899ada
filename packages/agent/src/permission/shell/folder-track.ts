const MAX_FOLDERS = 8;

const MAX_STEPS = 60;

export type Folders = readonly string[] | undefined;

export function foldersAfter(folders: Folders, target: string): Folders {
  if (folders === undefined || target === '' || target.startsWith('-') || target.startsWith('~')) return undefined;
  const moved = folders.map((folder) => normalize(target.startsWith('/') ? target : `${folder}/${target}`));
  if (moved.some((folder) => folder.split('/').length > MAX_STEPS)) return undefined;
  // Above the first folder, `..` depends on links.
  const start = folders[0] ?? '/';
  if (target.split('/').includes('..') && !moved.every((folder) => isBelow(folder, start))) return undefined;
  return moved;
}

export function eitherFolder(left: Folders, right: Folders): Folders {
  if (left === undefined || right === undefined) return undefined;
  const all = [...new Set([...left, ...right])];
  return all.length > MAX_FOLDERS ? undefined : all;
}

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

export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
