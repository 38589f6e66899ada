import type { OpenedTurns } from '../core/open-turns.js';
import type { TurnRecord } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';
import type { ServerMetrics } from './server-metrics.js';

export interface WatchedCore {
  readonly store: Pick<SessionStore, 'openTurns' | 'count'>;
  readonly liveAgents: () => number;
  readonly waitingForAgent: OpenedTurns['waitingForAgent'];
}

/** Gauges of the sessions. Those of the store cover all processes that share it. */
export function watchCore(metrics: ServerMetrics, { store, liveAgents, waitingForAgent }: WatchedCore): void {
  // The gauges of one request share a read.
  let reading: Promise<readonly TurnRecord[]> | undefined;
  const openTurns = () => {
    reading ??= store.openTurns().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  metrics.watch('qwen_agents', 'Agents of this process.', liveAgents);
  metrics.watch('qwen_sessions', 'Stored sessions.', () => store.count());
  metrics.watch('qwen_queue_turns', 'Turns that wait, also for an earlier turn of their session.', async () => {
    return (await openTurns()).filter(({ state }) => state === 'queued').length;
  });
  metrics.watch('qwen_queue_sessions', 'Sessions whose next turn waits for an agent.', async () => {
    return waitingFirst(await openTurns()).length + waitingForAgent().turns;
  });
  metrics.watch('qwen_queue_age_seconds', 'Age of the oldest turn that waits for an agent.', async () => {
    const oldestMs = Math.min(Date.now(), ...waitingFirst(await openTurns()).map(({ createdAt }) => createdAt));
    return Math.max(Date.now() - oldestMs, waitingForAgent().longestMs) / 1000;
  });
}

function waitingFirst(turns: readonly TurnRecord[]): readonly TurnRecord[] {
  const first = new Map<string, TurnRecord>();
  for (const turn of turns) if (!first.has(turn.sessionId)) first.set(turn.sessionId, turn);
  return [...first.values()].filter(({ state }) => state === 'queued');
}
