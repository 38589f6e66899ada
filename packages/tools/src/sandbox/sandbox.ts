import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isInside, realPathOf } from '@qwen/agent/node';
import { AgentError, defined } from '@qwen/protocol';
import { bwrapArgs } from './bwrap-args.js';
import { createGroup } from './limits.js';
import { type Mount, type SandboxView, viewOf, type Watched, withHidden } from './mounts.js';
import type { NetworkOptions, SandboxNetwork } from './network.js';
import type { SandboxPolicy } from './policy.js';
import { probeSandbox, type SandboxSupport } from './probe.js';
import { changedLinks, linksIn, revert } from './revert.js';
import { seatbeltArgs } from './seatbelt-args.js';
import { seccompProgram } from './seccomp.js';

export interface ProgramStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A program as it starts inside. Dispose it after the program has ended, or if it could not be started. */
export interface ConfinedStart extends ProgramStart, Disposable {
  /** A JSON object with `child-pid`, the leader of the processes inside, comes from descriptor 3. */
  readonly hasInfo: boolean;
  /** Control files that exist afterwards, but must not. */
  readonly watched: readonly Watched[];
  /** Renames control files that the program created. Returns their paths. */
  revert(): string[];
}

/** Descriptors of bubblewrap. */
const INFO = 3;
const FILTER = 4;

const TEMPORARY_FOLDERS = ['/tmp', '/var/tmp'];

const OUTSIDE_VARIABLES =
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_.*|XDG_RUNTIME_DIR|DOCKER_HOST|CONTAINER_HOST|TMUX|TMUX_PANE|STY|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|VSCODE_.*|NVIM|TMP|TEMP)$/;

/** $1: files of control groups, one per line; $2: the seccomp program, or empty. */
const ENTER = `IFS='
'; for group in $1; do echo $$ >"$group"; done 2>/dev/null; unset IFS
[ -z "$2" ] || exec 4<"$2"
shift 2; exec "$@"`;
/** $1: KiB of memory; $2: processes. A lower limit stays. `-p` is the word of dash. */
const SET_LIMITS = '{ ulimit -c 0; ulimit -d "$1"; ulimit -u "$2" || ulimit -p "$2"; } 2>/dev/null; shift 2; exec "$@"';
const SHELL = '/bin/sh';

export interface SandboxOptions {
  readonly policy: SandboxPolicy;
  readonly support?: SandboxSupport;
  readonly ask?: NetworkOptions['ask'];
}

const PRIVATE_FOLDER = 'qwen-sandbox-';

const open = new Set<string>();
/** What the running programs of all sandboxes may create. */
const changing = new Set<readonly Watched[]>();
let removesAtExit = false;

/** Rejects with `sandbox_unavailable`, which states how to make it work. */
export async function openSandbox({ policy, support: given, ask }: SandboxOptions): Promise<Sandbox> {
  const support = given ?? (await probeSandbox({ project: policy.roots[0] ?? '/' }));
  if (support.kind === 'none') throw unavailable(support);
  const sandbox = new Sandbox(policy, support, ask);
  // Reports a workspace that cannot be confined at the start.
  sandbox.view();
  if (support.kind === 'bubblewrap') closeInherited();
  return sandbox;
}

function unavailable({ reason, advice }: Extract<SandboxSupport, { kind: 'none' }>): AgentError {
  return new AgentError('sandbox_unavailable', `Commands cannot run in a sandbox: ${reason} ${advice}`);
}

export class Sandbox {
  readonly policy: SandboxPolicy;
  readonly #support: Exclude<SandboxSupport, { kind: 'none' }>;
  readonly #ask: NetworkOptions['ask'];
  #folder: PrivateFolder | undefined;
  #network: Promise<SandboxNetwork | undefined> | undefined;

  constructor(policy: SandboxPolicy, support: Exclude<SandboxSupport, { kind: 'none' }>, ask?: NetworkOptions['ask']) {
    this.policy = policy;
    this.#ask = ask;
    this.#support = support;
  }

  view(): SandboxView {
    // Seatbelt replaces no folders.
    return viewOf(this.policy, this.#support.kind === 'seatbelt' ? [] : temporaryFolders());
  }

  /** Without mounts that a running command could replace by a link before they are made. */
  #stableView(): SandboxView {
    const { mounts, watched, repositories } = this.view();
    const changeable = [...changing].flat();
    const isStable = ({ kind, path }: Mount) => kind === 'hide' || !changeable.some((one) => isInside(path, one.path));
    const isKept = ({ path }: Watched) => !changeable.some((one) => isInside(path, one.path));
    const added = new Map(changeable.map((one) => [one.path, one]));
    return { mounts: mounts.filter(isStable), watched: [...watched.filter(isKept), ...added.values()], repositories };
  }

  async takeBlockedHosts(): Promise<string[]> {
    return (await this.#network)?.takeBlocked() ?? [];
  }

  async confine(start: ProgramStart): Promise<ConfinedStart> {
    const support = this.#support;
    this.#folder ??= createFolder();
    const { path, filter } = this.#folder;
    const network = await this.#networkIn(path);
    if (support.kind === 'seatbelt') return this.#confineBySeatbelt(start, { temporary: join(path, 'tmp'), network });
    const { mounts, watched, repositories } = this.#stableView();
    const links = linksIn(repositories);
    changing.add(watched);
    const group = createGroup(`qwen-${crypto.randomUUID()}`, this.policy.limits);
    const inside = bwrapArgs({
      // Their contents affect later commands.
      mounts: withHidden(mounts, privateFolders(dirname(path))),
      blockedFile: join(path, 'blocked'),
      blockedFolder: join(path, 'blocked-folder'),
      temporary: temporaryFolders().map((folder) => ({ path: folder, source: join(path, 'tmp') })),
      folder: start.folder,
      keepsNetwork: network !== undefined,
      info: INFO,
      ...(filter !== undefined && { seccomp: FILTER }),
      disablesNamespaces: support.disablesNamespaces,
    });
    const enter = ['-c', ENTER, 'sh', group.members.join('\n'), filter ?? ''];
    return {
      program: SHELL,
      args: [...enter, ...(network?.enter ?? []), support.program, ...inside, ...this.#limited(start)],
      folder: '/',
      environment: { ...environmentOf(start.environment, '/tmp'), ...network?.environment },
      hasInfo: true,
      watched,
      revert: () => revert([...watched, ...changedLinks(links, repositories)]),
      [Symbol.dispose]: () => {
        changing.delete(watched);
        group[Symbol.dispose]();
      },
    };
  }

  /** Rules for paths also cover files that do not exist yet, so that nothing is to be reverted. */
  #confineBySeatbelt(
    start: ProgramStart,
    { temporary, network }: { readonly temporary: string; readonly network: SandboxNetwork | undefined },
  ): ConfinedStart {
    const { roots, allowUnixSockets } = this.policy;
    const sockets = [temporary, ...roots, ...allowUnixSockets];
    const inside = seatbeltArgs({ view: this.view(), temporary, sockets, proxyPort: network?.port });
    return {
      program: this.#support.program,
      args: [...inside, ...this.#limited(start)],
      folder: start.folder,
      environment: { ...environmentOf(start.environment, temporary), ...network?.environment },
      hasInfo: false,
      watched: [],
      revert: () => [],
      [Symbol.dispose]: () => undefined,
    };
  }

  #limited({ program, args }: ProgramStart): string[] {
    const { processes, memoryMiB } = this.policy.limits;
    return [SHELL, '-c', SET_LIMITS, 'sh', String(memoryMiB * 1024), String(processes), program, ...args];
  }

  /** One for all commands; a new one after the relay has ended. */
  async #networkIn(folder: string): Promise<SandboxNetwork | undefined> {
    for (;;) {
      this.#network ??= this.#openNetwork(folder);
      const opening = this.#network;
      const network = await opening;
      if (network?.isOpen() !== false) return network;
      network[Symbol.dispose]();
      if (this.#network === opening) this.#network = undefined;
    }
  }

  async #openNetwork(folder: string): Promise<SandboxNetwork | undefined> {
    const lists = this.policy.network;
    if (lists === undefined) return undefined;
    const { openLocalProxy, openNetwork } = await import('./network.js');
    const options = { lists, ...defined({ ask: this.#ask }) };
    if (this.#support.kind === 'seatbelt') return openLocalProxy(options);
    return openNetwork({ program: this.#support.program, folder, ...options });
  }

  [Symbol.dispose](): void {
    if (this.#folder === undefined) return;
    removeFolder(this.#folder.path);
    void this.#network?.then((network) => network?.[Symbol.dispose]());
    this.#network = undefined;
    this.#folder = undefined;
  }
}

/** The flag in `fdinfo` that Node.js sets on each descriptor it opens, so that child processes do not inherit it. */
const CLOSE_ON_EXEC = 0o2000000;

/** Closes descriptors that the parent of this process left open. Through an open folder, a command could reach all files. */
function closeInherited(): void {
  for (const fd of readdirSync('/proc/self/fd').map(Number)) {
    if (fd <= 2) continue;
    try {
      const [, flags] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
      if (flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0) closeSync(fd);
    } catch {
      // The descriptor of the listing itself, which is closed.
    }
  }
}

interface PrivateFolder {
  readonly path: string;
  /** The file with the seccomp program. Undefined: the processor is unknown. */
  readonly filter: string | undefined;
}

function createFolder(): PrivateFolder {
  const path = mkdtempSync(join(realpathSync(tmpdir()), PRIVATE_FOLDER));
  if (!removesAtExit) process.once('exit', () => open.forEach(removeFolder));
  removesAtExit = true;
  open.add(path);
  mkdirSync(join(path, 'tmp'), { mode: 0o700 });
  mkdirSync(join(path, 'blocked-folder'), { mode: 0o000 });
  writeFileSync(join(path, 'blocked'), '', { mode: 0o600 });
  chmodSync(join(path, 'blocked'), 0o000);
  const program = seccompProgram();
  if (program === undefined) return { path, filter: undefined };
  const filter = join(path, 'filter');
  writeFileSync(filter, program, { mode: 0o600 });
  return { path, filter };
}

function removeFolder(path: string): void {
  open.delete(path);
  try {
    chmodSync(join(path, 'blocked-folder'), 0o700);
    rmSync(path, { recursive: true, force: true });
  } catch {
    // A command that is still ending writes to it; the system removes old temporary files.
  }
}

/** The private folders of all sandboxes in this folder. */
function privateFolders(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(PRIVATE_FOLDER))
    .map((name) => join(folder, name));
}

function temporaryFolders(): string[] {
  return [...new Set([...TEMPORARY_FOLDERS, tmpdir()].map((path) => realPathOf(path)))].filter(
    (path) => path !== undefined,
  );
}

function environmentOf(environment: Readonly<Record<string, string>>, temporary: string): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => !OUTSIDE_VARIABLES.test(name));
  return { ...Object.fromEntries(kept), TMPDIR: temporary, SANDBOX: 'qwen' };
}
