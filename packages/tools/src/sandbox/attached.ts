import { spawn } from 'node:child_process';
import { createReadStream, fstatSync } from 'node:fs';
import { constants } from 'node:os';
import { pipeline, Readable } from 'node:stream';
import { commandEnvironment, type Environment } from '../shell/command-environment.js';
import { MARKER_VARIABLE, missingIn, startGuard } from '../shell/process-guard.js';
import type { SandboxPolicy } from './policy.js';
import { openSandbox } from './sandbox.js';

export { probeSandbox, type SandboxSupport } from './probe.js';

export interface AttachedProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Environment;
  readonly keep: readonly string[];
}

export interface AttachedEnd {
  readonly exitCode: number;
  readonly reverted: readonly string[];
  readonly blockedHosts: readonly string[];
}

const FROM_TERMINAL = ['SIGINT', 'SIGQUIT'] as const;
const FROM_OTHERS = ['SIGTERM', 'SIGHUP'] as const;

/** The program has the streams of this process. Rejects with `sandbox_unavailable`. */
export async function runAttached(policy: SandboxPolicy, start: AttachedProgram): Promise<AttachedEnd> {
  using sandbox = await openSandbox({ policy });
  const marker = crypto.randomUUID();
  const kept = commandEnvironment({ base: start.environment, keep: new Set(start.keep) });
  using confined = await sandbox.confine({ ...start, environment: { ...kept, [MARKER_VARIABLE]: marker } });
  const { execa } = await import('execa');
  const guard = startGuard(execa, marker, missingIn(confined.watched));
  // Through /proc/self/fd, the program could open a file again, to write it, and what is beside a folder.
  const hasFile = fstatSync(0).isFile() || fstatSync(0).isDirectory();
  const child = spawn(confined.program, confined.args, {
    cwd: confined.folder,
    env: confined.environment,
    stdio: [hasFile ? 'pipe' : 'inherit', 'inherit', 'inherit', confined.hasInfo ? 'pipe' : 'ignore'],
  });
  if (child.stdin !== null) pipeline(createReadStream('', { fd: 0, autoClose: false }), child.stdin, () => undefined);
  // bubblewrap fails unless its information is read.
  const [, , , info] = child.stdio;
  if (info instanceof Readable) info.resume();
  // The terminal sends these to bubblewrap, too; all of them end the program, whose files are checked afterwards.
  const wait = () => undefined;
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of FROM_TERMINAL) process.on(signal, wait);
  for (const signal of FROM_OTHERS) process.on(signal, pass);
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    });
    return { exitCode, reverted: confined.revert(), blockedHosts: await sandbox.takeBlockedHosts() };
  } finally {
    await guard.dismiss();
    for (const signal of FROM_TERMINAL) process.off(signal, wait);
    for (const signal of FROM_OTHERS) process.off(signal, pass);
  }
}

export interface DescribedPolicy {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  readonly hidden: readonly string[];
  /** Protected files that do not exist, or are links. */
  readonly watched: readonly string[];
}

/** What commands could do now. Rejects with `sandbox_unavailable`. */
export async function describePolicy(policy: SandboxPolicy): Promise<DescribedPolicy> {
  using sandbox = await openSandbox({ policy });
  const { mounts, watched } = sandbox.view();
  const paths = (kind: string) => mounts.filter((mount) => mount.kind === kind).map(({ path }) => path);
  return {
    writable: paths('write'),
    readOnly: paths('read'),
    hidden: [...paths('hide'), ...paths('empty')],
    watched: watched.map(({ path }) => path),
  };
}
