import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findProgram } from '../paths/find-program.js';

export type SandboxSupport =
  | { readonly kind: 'bubblewrap'; readonly program: string; readonly disablesNamespaces: boolean }
  | { readonly kind: 'seatbelt'; readonly program: string }
  | { readonly kind: 'none'; readonly reason: string; readonly advice: string };

export interface ProbeOptions {
  readonly project: string;
  /** A value of PATH. Default: that of this process. */
  readonly searchPath?: string;
  readonly platform?: NodeJS.Platform;
  /** Path of the program on macOS. Default: that of the system. */
  readonly sandboxExec?: string;
}

const LIMIT_MS = 5000;
const INSTALL =
  'Install bubblewrap 0.5 or later: apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap or apk add bubblewrap.';
const APPARMOR =
  'This system restricts user namespaces with AppArmor. Allow them for bubblewrap: ' +
  "printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }\\n' | " +
  'sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap';
const NAMESPACES =
  'Allow user namespaces: sudo sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000.';
const CONTAINER =
  'In a container, allow user namespaces and a separate /proc: for Docker, --security-opt seccomp=unconfined ' +
  '--security-opt systempaths=unconfined. Or rely on the container and pass --sandbox off.';

/** Starts bubblewrap or `sandbox-exec` once to see whether it works. Never rejects. */
export async function probeSandbox({
  project,
  searchPath,
  platform = process.platform,
  sandboxExec = '/usr/bin/sandbox-exec',
}: ProbeOptions): Promise<SandboxSupport> {
  if (platform === 'darwin') return probeSeatbelt(sandboxExec);
  if (platform !== 'linux') {
    return none('There is no sandbox for this system.', 'Use WSL 2, a container or a virtual machine.');
  }
  const program = findProgram('bwrap', { project, ...(searchPath !== undefined && { searchPath }) });
  if (program === undefined) return none('bubblewrap (the program bwrap) is not installed.', INSTALL);
  const version = await run(program, ['--version']);
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version.output) ?? []).map(Number);
  if (version.exitCode !== 0 || (major === 0 && minor < 5)) {
    return none(`${program} is too old or does not work: ${firstLine(version.output)}`, INSTALL);
  }
  const disablesNamespaces = major > 0 || minor >= 8;
  const { exitCode, output } = await run(program, [
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-net',
    ...(disablesNamespaces ? ['--disable-userns'] : []),
    '--cap-drop',
    'ALL',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--tmpfs',
    '/dev/shm',
    'true',
  ]);
  if (exitCode === 0) return { kind: 'bubblewrap', program, disablesNamespaces };
  return none(`${program} cannot create a sandbox: ${firstLine(output)}`, adviceFor(output));
}

async function probeSeatbelt(program: string): Promise<SandboxSupport> {
  const { exitCode, output } = await run(program, ['-p', '(version 1)(allow default)', '--', '/usr/bin/true']);
  if (exitCode === 0) return { kind: 'seatbelt', program };
  const advice = 'In another sandbox, start qwen outside of it, or rely on that sandbox and pass --sandbox off.';
  return none(`${program} cannot create a sandbox: ${firstLine(output)}`, advice);
}

function adviceFor(output: string): string {
  const release = read('/proc/sys/kernel/osrelease');
  if (/microsoft/i.test(release) && !/WSL2/i.test(release)) return 'WSL 1 has no namespaces. Use WSL 2.';
  if (read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns').trim() === '1') return APPARMOR;
  if (/RTM_NEWADDR|setting up uid map/i.test(output)) return APPARMOR;
  if (/mount proc|Can't mount.*proc/i.test(output)) return CONTAINER;
  return isContainer() ? CONTAINER : NAMESPACES;
}

function isContainer(): boolean {
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv');
}

function none(reason: string, advice: string): SandboxSupport {
  return { kind: 'none', reason, advice };
}

function firstLine(output: string): string {
  return output.trim().split('\n')[0] ?? '';
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function run(program: string, args: readonly string[]): Promise<{ exitCode: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS, killSignal: 'SIGKILL' });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(0, 2000);
      });
    }
    child.once('error', (error) => resolve({ exitCode: null, output: error.message }));
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}
