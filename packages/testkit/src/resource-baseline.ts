import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf } from './process-tree.js';

/** Kinds that vitest itself opens and closes as it likes; a leak of ours shows in the other kinds. */
const NOT_OURS = new Set([
  'Timeout',
  'Immediate',
  'TickObject',
  'FSReqCallback',
  'FSReqPromise',
  'MessagePort',
  'TTYWrap',
]);

/** What is open → how often: handles by kind, `child <pid>`, `listener <event>` on the process. */
type Resources = ReadonlyMap<string, number>;

/** What this process held at one moment. */
export interface ResourceBaseline {
  /**
   * Rejects, naming what was added, when sockets, servers, pipes, child processes or listeners on `process` are left
   * that were not there before. Waits up to `deadlineMs` (default 5 s), because the kernel closes after we do.
   */
  assertUnchanged(options?: { readonly deadlineMs?: number }): Promise<void>;
}

/**
 * Remembers what is open now. Take it when a suite begins and call `assertUnchanged` in `afterAll`: what the suite
 * opened must be closed (HOUSE §3.7.9).
 */
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
