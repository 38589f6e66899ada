import type { SpawnedProcess } from './spawned-process.js';

/** Milliseconds from the end of input to SIGTERM, and again from SIGTERM to SIGKILL. */
export const DEFAULT_GRACE_MS = 5_000;

/** How long we wait for the kernel to report a killed process before we give up on it. */
const LAST_WAIT_MS = 5_000;

export interface StopOptions {
  /** Milliseconds for each polite step; 0 starts with SIGKILL. */
  readonly graceMs: number;
  /** Called before each signal is sent; a child that leaves by itself gets none. Must not throw. */
  readonly onSignal?: () => void;
}

/** Whether the process is gone. `killed` would only say that a signal was sent (HOUSE §4.3). */
export function hasExited(child: SpawnedProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/**
 * Ends a child: end of input, grace, SIGTERM, grace, SIGKILL (F39). Resolves when the process is gone, or when the
 * kernel does not report so within five seconds of SIGKILL. Never rejects. Two of them may run at once: the shorter
 * grace wins.
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
