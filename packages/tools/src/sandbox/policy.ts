import { userInfo } from 'node:os';
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
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.config/vivaldi',
  '.config/Signal',
  '.config/Slack',
  '.config/discord',
  '.config/1Password',
  '.config/Bitwarden',
  '.config/age',
  '.config/sops',
  '.config/containers/auth.json',
  '.config/composer/auth.json',
  '.config/configstore',
  '.config/hcloud',
  '.config/ngrok',
  '.config/pypoetry/auth.toml',
  '.config/pulumi',
  '.config/heroku',
  '.config/netlify',
  '.config/stripe',
  '.config/solana',
  '.config/github-copilot',
  '.config/opencode',
  '.config/qwen',
  '.mozilla',
  '.thunderbird',
  'snap/firefox',
  'snap/chromium',
  '.var/app',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.local/share/opencode/auth.json',
  '.password-store',
  '.netrc',
  '.git-credentials',
  '.config/git/credentials',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.npmrc',
  '.yarnrc.yml',
  '.bundle/config',
  '.nuget/NuGet/NuGet.Config',
  '.m2/settings-security.xml',
  '.huggingface/token',
  '.age',
  '.Xauthority',
  '.bitcoin',
  '.config/keepassxc',
  '.local/share/TelegramDesktop',
  '.cloudflared',
  '.ngrok2',
  '.snowflake',
  '.dbt',
  '.vault-token',
  '.boto',
  '.s3cfg',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.terraform.d/credentials.tfrc.json',
  '.terraformrc',
  '.pulumi/credentials.json',
  '.composer/auth.json',
  '.subversion/auth',
  '.databrickscfg',
  '.cache/huggingface/token',
  '.kaggle',
  '.fly',
  '.wrangler',
  '.electrum',
  '.bash_history',
  '.zsh_history',
  '.zhistory',
  '.histfile',
  '.history',
  '.sh_history',
  '.ash_history',
  '.ksh_history',
  '.tcsh_history',
  '.local/share/fish/fish_history',
  '.local/share/xonsh',
  '.local/share/atuin',
  '.config/nushell/history.txt',
  '.local/share/powershell/PSReadLine',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.mysql_history',
  '.rediscli_history',
  '.qwen',
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.cursor',
  '.continue',
  '.config/Cursor',
  '.config/goose',
  '.aider.conf.yml',
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
  '/etc/openvpn',
  '/etc/ipsec.secrets',
  '/etc/NetworkManager/system-connections',
  '/etc/kubernetes',
  '/etc/letsencrypt',
  '/etc/ssh/ssh_host_rsa_key',
  '/etc/ssh/ssh_host_ecdsa_key',
  '/etc/ssh/ssh_host_ed25519_key',
];

/** Files of a workspace that other programs run or obey later. With `HEAD`, it can be a bare repository. */
const CONTROL_FILES: readonly string[] = [
  'HEAD',
  '.hg/hgrc',
  '.hg/hgrc-not-shared',
  '.hg/sharedpath',
  '.jj/repo/config.toml',
  ...PROJECT_CONTROL_FOLDERS,
  ...PROJECT_CONTROL_FILES,
];

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
  '.tmux.conf',
];

/** Settings, hooks and references to other folders with them. */
export const GIT_CONTROL_FILES: readonly string[] = [
  'config',
  'config.worktree',
  'commondir',
  'gitdir',
  'hooks',
  'modules',
  'worktrees',
];

export function hiddenPaths({ homeDirectory, dataDir, denyRead }: SandboxPolicy): string[] {
  const homes = new Set([homeDirectory, accountHome() ?? homeDirectory]);
  const secrets = [...homes].flatMap((home) => HOME_SECRETS.map((name) => `${home}/${name}`));
  return [...secrets, ...SYSTEM_SECRETS, dataDir, ...denyRead];
}

/** In some containers, HOME is another folder, but programs keep keys here. Undefined: the system does not know the user. */
function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

/** Readable below the hidden folders: the scripts of skills and hooks. */
export function exposedPaths({ homeDirectory, dataDir, allowRead }: SandboxPolicy): string[] {
  const folders = [...new Set([dataDir, `${homeDirectory}/.qwen`])];
  return [...folders.flatMap((folder) => [`${folder}/skills`, `${folder}/hooks`]), ...allowRead];
}

/** Relative to the root of a workspace; `isRepository`: it has a folder `.git`. */
export function controlFiles(isHome: boolean, isRepository: boolean): string[] {
  return [
    ...CONTROL_FILES,
    ...(isHome ? HOME_CONTROL_FILES : []),
    ...(isRepository ? GIT_CONTROL_FILES.map((name) => `.git/${name}`) : ['.git']),
  ];
}
