import type { CallFacts, CallPath } from './call-facts.js';

/**
 * Files that make a program run or open a door later: a change to one of them is worth a question even where edits
 * go through unasked (S37, S38). The list holds at any depth and for files that do not exist yet.
 */
const PROTECTED_FOLDERS: ReadonlySet<string> = new Set([
  '.git',
  'git~1',
  '.qwen',
  '.gemini',
  '.claude',
  '.codex',
  '.cursor',
  '.vscode',
  '.idea',
  '.devcontainer',
  '.husky',
  '.ssh',
  '.gnupg',
  '.aws',
  '.kube',
  '.docker',
]);

const PROTECTED_FILES: ReadonlySet<string> = new Set([
  // A folder with it may be a repository of its own, with hooks and programs in its configuration.
  'head',
  '.gitconfig',
  '.gitmodules',
  '.git-credentials',
  '.mcp.json',
  '.envrc',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.netrc',
  '.pypirc',
  '.profile',
  '.login',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.inputrc',
  'config.fish',
  'crontab',
  'authorized_keys',
]);

/** Whether the path names a protected file or lies in a protected folder. */
export function isProtectedFile(path: string): boolean {
  const names = path.split(/[\\/]/).map(foldName);
  return names.some((name) => PROTECTED_FOLDERS.has(name)) || PROTECTED_FILES.has(names.at(-1) ?? '');
}

/** The name as the most forgiving file system reads it: without case, format characters, trailing dots and spaces. */
function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/[. ]+$/, '');
}

/** Whether a change of it, by either of its names, is a change of a protected file. */
export function isProtectedPath({ access, path, realPath }: CallPath): boolean {
  return access === 'write' && (isProtectedFile(path) || isProtectedFile(realPath));
}

/** The protected file that the call would change, as it was named; also by a redirection of a shell command. */
export function protectedFileOf({ paths, shell }: CallFacts): string | undefined {
  const redirected = shell?.reading.files.flatMap(({ access, path }): CallPath[] => {
    const found = path === undefined ? undefined : shell.paths.get(path);
    return found === undefined ? [] : [{ ...found, access }];
  });
  return [...paths, ...(redirected ?? [])].find(isProtectedPath)?.path;
}
