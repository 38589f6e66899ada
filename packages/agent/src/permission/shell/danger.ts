import { LAUNCHERS, SHELLS } from './programs.js';
import { baseName, type ShellCommand, type ShellWord } from './shell-reading.js';

const MAX_WORDS = 200;
const named = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const DESTROYING = named('rm rmdir unlink shred mkfs dd truncate wipefs fdisk parted');
const CONTROLLING = named(
  'sudo doas su pkexec chown chmod chattr mount umount kill pkill killall systemctl service launchctl shutdown reboot ' +
    'crontab at iptables useradd usermod passwd eval source . exec',
);
const SENDING = named(
  'curl wget ssh scp sftp rsync nc ncat netcat socat telnet ftp lftp aws gcloud az kubectl helm terraform gh glab',
);
const INSTALLING = named('npm pnpm yarn npx bunx pip pip3 uv gem cargo go brew apt apt-get dnf yum apk docker podman');
const GIT_LOSING = /^(?:-f|--force.*|--hard|-D|--delete|--mirror|\+.*|:.+)$/;
const LOSING = /^(?:-delete|prune|destroy|delete|drop)$/i;

/** How much a command can break, to name the worst part of a list. From 0 to 5. */
export function dangerOf({ words }: Pick<ShellCommand, 'words'>): number {
  let most = 0;
  for (let at = 0; at < Math.min(words.length, MAX_WORDS); at += 1) {
    const name = baseName(words[at]?.text ?? '');
    most = Math.max(most, dangerAt(name, words.slice(at + 1)));
    if (!LAUNCHERS.has(baseName(words[0]?.text ?? ''))) break;
  }
  return most;
}

function dangerAt(name: string, args: readonly ShellWord[]): number {
  const texts = args.map(({ text }) => text);
  if (DESTROYING.has(name) || texts.some((text) => LOSING.test(text))) return 5;
  if (name === 'git') return dangerOfGit(texts);
  if (SHELLS.has(name) || CONTROLLING.has(name)) return 4;
  if (SENDING.has(name) || (INSTALLING.has(name) && texts.includes('publish'))) return 3;
  return INSTALLING.has(name) ? 2 : 1;
}

function dangerOfGit(args: readonly string[]): number {
  if (args.includes('clean') || args.some((word) => GIT_LOSING.test(word))) return 5;
  if (args.includes('config')) return 4;
  return args.includes('push') ? 3 : 1;
}
