import { walkFiles } from '@qwen/tools';
import { PathGatherer } from './path-gatherer.js';
import type { PathList } from './path-list.js';

const MAX_ENTRIES = 200_000;
/** Names as long as the system allows would otherwise fill the memory. */
const MAX_LENGTH = 32 * 1024 * 1024;

/**
 * The files and folders below a real folder that no ignore rule leaves out, up to 200,000 entries. Reads folder by folder
 * and gives others a turn all along. Rejects on abort, with the reason of the signal.
 */
export async function gatherPaths(root: string, signal: AbortSignal): Promise<PathList> {
  const gatherer = new PathGatherer();
  const files = walkFiles({ root, signal, maxEntries: MAX_ENTRIES, onCut: () => undefined });
  for await (const { names } of files) {
    gatherer.add(names);
    if (gatherer.length > MAX_LENGTH) break;
  }
  signal.throwIfAborted();
  return gatherer.toList();
}
