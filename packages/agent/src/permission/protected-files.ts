import type { CallFacts, CallPath } from './call-facts.js';

/** Folders of a project from which agents, editors and git hooks run code. */
export const PROJECT_CONTROL_FOLDERS: readonly string[] = [
  '.qwen',
  '.gemini',
  '.claude',
  '.codex',
  '.agents',
  '.cursor',
  '.vscode',
  '.idea',
  '.zed',
  '.helix',
  '.windsurf',
  '.devcontainer',
  '.husky',
  '.kiro',
  '.opencode',
  '.roo',
  '.trae',
  '.continue',
];

export const PROJECT_CONTROL_FILES: readonly string[] = [
  '.mcp.json',
  'opencode.json',
  'opencode.jsonc',
  '.aider.conf.yml',
  '.envrc',
  'mise.toml',
  '.mise.toml',
  'mise.local.toml',
  '.mise.local.toml',
  '.pre-commit-config.yaml',
  '.pre-commit-config.yml',
  'lefthook.yml',
  'lefthook.yaml',
  '.lefthook.yml',
  '.lefthook.yaml',
  'lefthook-local.yml',
  '.devcontainer.json',
  '.simple-git-hooks.json',
  '.simple-git-hooks.js',
  '.simple-git-hooks.cjs',
  'simple-git-hooks.json',
  'simple-git-hooks.js',
  'simple-git-hooks.cjs',
  '.exrc',
  '.nvimrc',
  '.nvim.lua',
  '.vimrc',
  '.dir-locals.el',
  '.dir-locals-2.el',
];

/** Of VS Code. */
export const WORKSPACE_FILE_SUFFIX = '.code-workspace';

/** In the home folder. */
export const SHELL_STARTUP_FILES: readonly string[] = [
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
];

/**
 * Files that can run code or open access later; changing one needs a question even in auto-edit. At any depth, also
 * before they exist.
 */
const PROTECTED_FOLDERS: ReadonlySet<string> = new Set([
  ...PROJECT_CONTROL_FOLDERS,
  '.git',
  'git~1',
  '.hg',
  '.jj',
  '.ssh',
  '.gnupg',
  '.aws',
  '.kube',
  '.docker',
]);

const PROTECTED_FILES: ReadonlySet<string> = new Set([
  ...PROJECT_CONTROL_FILES,
  ...SHELL_STARTUP_FILES,
  // A folder with it may be a repository, whose configuration can run programs.
  'head',
  '.gitattributes',
  '.gitconfig',
  '.gitmodules',
  '.git-credentials',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnp.cjs',
  '.pnp.loader.mjs',
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  'bunfig.toml',
  '.bunfig.toml',
  '.bazelrc',
  '.bazeliskrc',
  '.bazelversion',
  'gradle-wrapper.properties',
  '.gitlab-ci.yml',
  '.gitlab-ci.yaml',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'jenkinsfile',
  '.travis.yml',
  '.ripgreprc',
  '.netrc',
  '.pypirc',
  '.gdbinit',
  '.lldbinit',
  '.pdbrc',
  '.pythonrc',
  '.rprofile',
  '.irbrc',
  '.pryrc',
  '.psqlrc',
  '.sqliterc',
  '.curlrc',
  '.wgetrc',
  '.tmux.conf',
  'config.fish',
  'crontab',
  'authorized_keys',
]);

/** Pipelines, which run with other credentials, and settings that make build tools run other programs. */
const PROTECTED_PATHS =
  /(?:^|\/)(?:\.(?:github|gitea|forgejo)\/(?:workflows|actions)|\.circleci|\.buildkite|\.cargo\/config(?:\.toml)?|\.mvn|\.yarn\/(?:releases|plugins|sdks))(?:\/|$)/;

export function isProtectedFile(path: string): boolean {
  const names = path.split(/[\\/]/).map(foldName);
  const last = names.at(-1) ?? '';
  if (names.some((name) => PROTECTED_FOLDERS.has(name)) || PROTECTED_FILES.has(last)) return true;
  if (last.endsWith(WORKSPACE_FILE_SUFFIX)) return true;
  return PROTECTED_PATHS.test(names.filter((name) => name !== '').join('/'));
}

export function isInProtectedFolder(path: string): boolean {
  return path.split(/[\\/]/).some((name) => PROTECTED_FOLDERS.has(foldName(name)));
}

/** The name as the most lenient file system compares it: no case, format characters, trailing dots or spaces. */
function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/[. ]+$/, '');
}

export function isProtectedPath({ access, path, realPath }: CallPath): boolean {
  return access === 'write' && (isProtectedFile(path) || isProtectedFile(realPath));
}

export function protectedFileOf({ paths, shell }: CallFacts): string | undefined {
  const redirected = shell?.reading.files.flatMap(({ access, path }): CallPath[] => {
    const found = path === undefined ? undefined : shell.paths.get(path);
    return found === undefined ? [] : [{ ...found, access }];
  });
  return [...paths, ...(redirected ?? [])].find(isProtectedPath)?.path;
}
