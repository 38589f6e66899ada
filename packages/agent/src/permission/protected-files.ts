import type { CallFacts } from './call-facts.js';

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
function isProtectedFile(path: string): boolean {
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

/** The protected file that the call would change, as it was named. */
export function protectedFileOf(call: CallFacts): string | undefined {
  return call.paths.find(
    ({ access, path, realPath }) => access === 'write' && (isProtectedFile(path) || isProtectedFile(realPath)),
  )?.path;
}
