import { AgentError } from '@qwen/protocol';
import { walkFiles } from '@qwen/tools';
import { PathGatherer } from './path-gatherer.js';
import type { PathList } from './path-list.js';

const MIN_AGE_MS = 10_000;
/** Limits gathering to a twentieth of the time. */
const AGE_PER_EFFORT = 20;

/** The paths of one folder. A stale list is served while the next one is gathered. */
export class FolderIndex {
  readonly #realPath: string;
  readonly #nowMs: () => number;
  readonly #abort = new AbortController();
  #list: PathList | undefined;
  #staleAtMs = 0;
  #gathering: Promise<PathList> | undefined;

  constructor(realPath: string, nowMs: () => number) {
    this.#realPath = realPath;
    this.#nowMs = nowMs;
  }

  /** Returns the list, or calls `onWait` and gathers it. Rejects on abort and on close. */
  async paths(signal: AbortSignal, onWait: () => void): Promise<PathList> {
    const list = this.#list;
    if (list !== undefined && this.#nowMs() < this.#staleAtMs) return list;
    this.#gathering ??= this.#gather();
    if (list !== undefined) return list;
    onWait();
    return untilAborted(this.#gathering, signal);
  }

  async close(): Promise<void> {
    this.#abort.abort(new AgentError('aborted', 'The file index is closed.'));
    await this.#gathering?.catch(() => undefined);
  }

  #gather(): Promise<PathList> {
    const startedAtMs = this.#nowMs();
    const gathering = gatherPaths(this.#realPath, this.#abort.signal)
      .then((list) => {
        const endedAtMs = this.#nowMs();
        this.#list = list;
        this.#staleAtMs = endedAtMs + Math.max(MIN_AGE_MS, (endedAtMs - startedAtMs) * AGE_PER_EFFORT);
        return list;
      })
      .finally(() => {
        this.#gathering = undefined;
      });
    // A rejection without waiting searches must not be unhandled.
    void gathering.catch(() => undefined);
    return gathering;
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

const MAX_ENTRIES = 200_000;
/** Total length of all paths, in UTF-16 units; limits memory. */
const MAX_LENGTH = 32 * 1024 * 1024;

/** Walks a real folder, without ignored files, up to 200,000 entries. Yields to the event loop between folders. */
async function gatherPaths(root: string, signal: AbortSignal): Promise<PathList> {
  const gatherer = new PathGatherer();
  const files = walkFiles({ root, signal, maxEntries: MAX_ENTRIES, onCut: () => undefined });
  for await (const { names } of files) {
    gatherer.add(names);
    if (gatherer.length > MAX_LENGTH) break;
  }
  signal.throwIfAborted();
  return gatherer.toList();
}
