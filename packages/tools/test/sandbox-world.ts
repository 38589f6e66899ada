import { statSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LineProcess, startLineProcess } from '@qwen/testkit';
import { afterAll, beforeAll } from 'vitest';
import type { SandboxPolicy } from '../src/sandbox/policy.js';
import type { CommandResult } from '../src/shell/run-command.js';

const inPrograms = (name: string) => fileURLToPath(new URL(`./programs/${name}`, import.meta.url));
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

/** Users to try attacks as: for root, also one without rights, who must reach Node.js and this repository. */
export const SANDBOX_USERS: readonly { readonly name: string; readonly uid?: number }[] = isRoot
  ? [
      { name: 'root' },
      ...([process.execPath, import.meta.filename].every(isReachable)
        ? [{ name: 'an ordinary user', uid: NOBODY }]
        : []),
    ]
  : [{ name: 'an ordinary user' }];

/** Whether every user may enter the folders above. */
function isReachable(path: string): boolean {
  const folder = dirname(path);
  return (statSync(folder).mode & 0o001) !== 0 && (folder === '/' || isReachable(folder));
}

export interface SandboxWorld extends AsyncDisposable {
  readonly path: string;
  readonly policy: SandboxPolicy;
  write(name: string, content: string): Promise<string>;
  read(name: string): Promise<string>;
  run(...commands: readonly string[]): Promise<(CommandResult & { readonly command: string })[]>;
  /** Of attempts, those that succeed. One command of the sandbox runs all of them, each in a subshell. */
  breaches(...attempts: readonly string[]): Promise<string[]>;
}

/** Takes lines with a policy and commands. */
export function startSandboxRunner(uid: number | undefined): Promise<LineProcess> {
  const args = [
    '--conditions=@qwen/source',
    '--import',
    inPrograms('source-hooks.js'),
    inPrograms('runs-sandboxed.ts'),
  ];
  return startLineProcess({
    command: process.execPath,
    args: [...args, ...(uid === undefined ? [] : [String(uid)])],
    deadlineMs: 60_000,
  });
}

const runners = new Map<number | undefined, LineProcess>();

// To start one takes much longer than to run a command.
beforeAll(async () => {
  if (process.platform !== 'linux') return;
  for (const { uid } of SANDBOX_USERS) {
    const runner = await startSandboxRunner(uid);
    runners.set(uid, runner);
    await runner.next({ ready: true });
  }
}, 120_000);

afterAll(async () => {
  for (const runner of runners.values()) await runner[Symbol.asyncDispose]();
});

/** A workspace `w` and a home folder `h`, not below the temporary folder, which the sandbox replaces. */
export async function sandboxWorld({
  uid,
  ...changes
}: Partial<SandboxPolicy> & { readonly uid?: number | undefined } = {}): Promise<SandboxWorld> {
  const path = await realpath(await mkdtemp(join(isRoot ? '/var/lib' : homedir(), '.qwen-sandbox-test-')));
  const own = async (file: string) => (uid === undefined ? undefined : chown(file, uid, uid));
  await own(path);
  for (const name of ['w', 'h', 'h/.qwen', 'h/.ssh', 'w/.git', 'w/.git/hooks']) {
    await mkdir(join(path, name));
    await own(join(path, name));
  }
  const policy: SandboxPolicy = {
    mode: 'workspace-write',
    roots: [join(path, 'w')],
    homeDirectory: join(path, 'h'),
    dataDir: join(path, 'h/.qwen'),
    allowWrite: [],
    denyWrite: [],
    denyRead: [],
    allowRead: [],
    allowUnixSockets: [],
    limits: { processes: 512, memoryMiB: 4096 },
    ...changes,
  };
  const run = async (...commands: readonly string[]) => {
    const runner = runners.get(uid);
    if (runner === undefined) throw new Error('There is no runner.');
    const id = crypto.randomUUID();
    runner.send({ id, policy, commands });
    // A test that timed out may have left results of other commands.
    const { results } = await runner.next({ id });
    return results as (CommandResult & { command: string })[];
  };
  return {
    path,
    policy,
    async write(name, content) {
      const file = join(path, name);
      await mkdir(dirname(file), { recursive: true });
      await own(dirname(file));
      await writeFile(file, content);
      await own(file);
      return file;
    },
    read: (name) => readFile(join(path, name), 'utf8'),
    run,
    async breaches(...attempts) {
      const lines = attempts.map((text, index) => `if ( ${text} ) >/dev/null 2>&1; then echo "BREACH ${index}"; fi`);
      const [result] = await run([...lines, 'echo END'].join('\n'));
      if (result?.output.endsWith('END\n') !== true) throw new Error(`The attempts ended early: ${result?.output}`);
      return attempts.filter((_, index) => result.output.includes(`BREACH ${index}\n`));
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}
