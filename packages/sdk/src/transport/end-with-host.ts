import type { SpawnedProcess } from './spawned-process.js';

// One listener for all children of this process: fifty queries must not add fifty (F57).
const children = new Set<SpawnedProcess>();

/** Sends SIGTERM to the child when this process exits. A child that has exited is forgotten. */
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
