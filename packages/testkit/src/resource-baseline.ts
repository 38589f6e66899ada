import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf } from './process-tree.js';

/** Kinds that vitest itself opens and closes. */
const NOT_OURS = new Set([
  'Timeout',
  'Immediate',
  'TickObject',
  'FSReqCallback',
  'FSReqPromise',
  'MessagePort',
  'TTYWrap',
]);

/** Resource → count: handles by kind, `child <pid>`, `listener <event>` on the process. */
type Resources = ReadonlyMap<string, number>;

export interface ResourceBaseline {
  /**
   * Rejects with the names of sockets, servers, pipes, child processes or `process` listeners added since. Waits up
   * to `deadlineMs` (default 5 s), because the kernel closes late.
   */
  assertUnchanged(options?: { readonly deadlineMs?: number }): Promise<void>;
}

/** Takes a snapshot at the start of a suite; call `assertUnchanged` in `afterAll`. */
export function resourceBaseline(): ResourceBaseline {
  const before = currentResources();
  return {
    async assertUnchanged({ deadlineMs = 5_000 } = {}) {
      const giveUpAt = performance.now() + deadlineMs;
      for (;;) {
        const left = added(before, currentResources());
        if (left.length === 0) return;
        if (performance.now() > giveUpAt) throw new Error(`left behind: ${left.join(', ')}`);
        await delay(10);
      }
    },
  };
}

function currentResources(): Resources {
  const counts = new Map<string, number>();
  const count = (name: string, times: number) => counts.set(name, (counts.get(name) ?? 0) + times);
  for (const kind of process.getActiveResourcesInfo()) if (!NOT_OURS.has(kind)) count(kind, 1);
  for (const pid of childrenOf(process.pid)) count(`child ${pid}`, 1);
  for (const event of process.eventNames()) count(`listener ${String(event)}`, process.listenerCount(event));
  return counts;
}

function added(before: Resources, after: Resources): string[] {
  return [...after].filter(([name, times]) => times > (before.get(name) ?? 0)).map(([name]) => name);
}
