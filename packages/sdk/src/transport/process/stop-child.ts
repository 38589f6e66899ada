import type { SpawnedProcess } from './spawned-process.js';

/** In milliseconds, before SIGTERM and again before SIGKILL. */
export const DEFAULT_GRACE_MS = 5_000;

const LAST_WAIT_MS = 5_000;

export interface StopOptions {
  /** 0 sends SIGKILL at once. */
  readonly graceMs: number;
  /** Called before each signal. Must not throw. */
  readonly onSignal?: () => void;
}

/** `killed` means only that a signal was sent. */
export function hasExited(child: SpawnedProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/**
 * End of input, grace, SIGTERM, grace, SIGKILL. Resolves when the process is gone or five seconds after SIGKILL.
 * Never rejects.
 */
export async function stopChild(child: SpawnedProcess, { graceMs, onSignal }: StopOptions): Promise<void> {
  child.stdin.end();
  const signals: readonly ('SIGTERM' | 'SIGKILL')[] = graceMs > 0 ? ['SIGTERM', 'SIGKILL'] : ['SIGKILL'];
  if (graceMs > 0) await exitWithin(child, graceMs);
  for (const signal of signals) {
    if (hasExited(child)) return;
    onSignal?.();
    child.kill(signal);
    await exitWithin(child, signal === 'SIGKILL' ? LAST_WAIT_MS : graceMs);
  }
}

function exitWithin(child: SpawnedProcess, waitMs: number): Promise<void> {
  if (hasExited(child)) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      child.off('exit', settle);
      resolve();
    };
    const timer = setTimeout(settle, waitMs);
    child.once('exit', settle);
  });
}

// One listener for all children.
const children = new Set<SpawnedProcess>();

export function endWithHost(child: SpawnedProcess): void {
  if (children.size === 0) process.on('exit', endChildren);
  children.add(child);
  child.once('exit', () => {
    children.delete(child);
    if (children.size === 0) process.off('exit', endChildren);
  });
}

function endChildren(): void {
  for (const child of children) child.kill('SIGTERM');
}
