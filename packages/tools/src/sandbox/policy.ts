import { PROJECT_CONTROL_FILES, PROJECT_CONTROL_FOLDERS, SHELL_STARTUP_FILES } from '@qwen/agent';
import type { SandboxMode } from '@qwen/protocol';
import type { HostLists } from './host-list.js';

/** What commands may do. Paths are absolute, with links resolved where they exist. */
export interface SandboxPolicy {
  readonly mode: SandboxMode;
  readonly roots: readonly string[];
  readonly homeDirectory: string;
  readonly dataDir: string;
  readonly allowWrite: readonly string[];
  readonly denyWrite: readonly string[];
  readonly denyRead: readonly string[];
  /** Readable although it is below a hidden folder. */
  readonly allowRead: readonly string[];
  readonly allowUnixSockets: readonly string[];
  /** Undefined: no network at all. */
  readonly network?: HostLists;
  readonly limits: SandboxLimits;
}

export interface SandboxLimits {
  readonly processes: number;
  readonly memoryMiB: number;
}

const HOME_SECRETS: readonly string[] = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.kube',
  '.docker',
  '.azure',
  '.oci',
  '.config/gh',
  '.config/gcloud',
  '.config/glab-cli',
  '.config/hub',
  '.config/op',
  '.config/doctl',
  '.config/rclone',
  '.config/google-chrome',
  '.config/chromium',
  '.config/qwen',
  '.mozilla',
  '.local/share/keyrings',
  '.password-store',
  '.netrc',
  '.git-credentials',
  '.config/git/credentials',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.npmrc',
  '.vault-token',
  '.boto',
  '.s3cfg',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.terraform.d/credentials.tfrc.json',
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
];

/** Readable for root, whom no file mode stops. */
const SYSTEM_SECRETS: readonly string[] = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/ssl/private',
  '/etc/krb5.keytab',
  '/etc/wireguard',
  '/etc/ssh/ssh_host_rsa_key',
  '/etc/ssh/ssh_host_ecdsa_key',
  '/etc/ssh/ssh_host_ed25519_key',
];

/** Files of a workspace that other programs run or obey later. */
const CONTROL_FILES: readonly string[] = [...PROJECT_CONTROL_FOLDERS, ...PROJECT_CONTROL_FILES];

/** If the workspace is the home folder. */
const HOME_CONTROL_FILES: readonly string[] = [
  '.config',
  '.local',
  'bin',
  ...SHELL_STARTUP_FILES,
  '.gitconfig',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.vimrc',
  '.tmux.conf',
];

/** Settings, hooks and references to other folders with them. */
const GIT_CONTROL_FILES: readonly string[] = [
  'config',
  'config.worktree',
  'commondir',
  'gitdir',
  'hooks',
  'modules',
  'worktrees',
];

export function hiddenPaths({ homeDirectory, dataDir, denyRead }: SandboxPolicy): string[] {
  return [...HOME_SECRETS.map((name) => `${homeDirectory}/${name}`), ...SYSTEM_SECRETS, dataDir, ...denyRead];
}

/** Readable below the hidden folders: the scripts of skills and hooks. */
export function exposedPaths({ dataDir, allowRead }: SandboxPolicy): string[] {
  return [`${dataDir}/skills`, `${dataDir}/hooks`, ...allowRead];
}

/** Relative to the root of a workspace; `isRepository`: it has a folder `.git`. */
export function controlFiles(isHome: boolean, isRepository: boolean): string[] {
  return [
    ...CONTROL_FILES,
    ...(isHome ? HOME_CONTROL_FILES : []),
    ...(isRepository ? GIT_CONTROL_FILES.map((name) => `.git/${name}`) : ['.git']),
  ];
}
