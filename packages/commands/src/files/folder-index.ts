import { AgentError } from '@qwen/protocol';
import { walkFiles } from '@qwen/tools';
import { PathGatherer } from './path-gatherer.js';
import type { PathList } from './path-list.js';

/** Younger lists are taken as they are. */
const MIN_AGE_MS = 10_000;
/** Large folders are gathered less often, so that it takes at most a twentieth of the time. */
const AGE_PER_EFFORT = 20;

/** The list of one folder. An old list still answers while the next one is gathered. */
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

  /**
   * The list, at once when there is one; else `onWait` is called and the files are gathered. Rejects when the signal
   * aborts or the index is closed.
   */
  async paths(signal: AbortSignal, onWait: () => void): Promise<PathList> {
    const list = this.#list;
    if (list !== undefined && this.#nowMs() < this.#staleAtMs) return list;
    this.#gathering ??= this.#gather();
    if (list !== undefined) return list;
    onWait();
    return untilAborted(this.#gathering, signal);
  }

  /** Resolves once nothing runs any more. */
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
    // Nobody may be waiting for it by then.
    void gathering.catch(() => undefined);
    return gathering;
  }
}

/** The promise, or a rejection with the reason of the signal as soon as that aborts. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

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
