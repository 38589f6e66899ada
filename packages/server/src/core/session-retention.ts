import { AgeSweep, sweepIntervalMs } from '../log/age-sweep.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import type { SessionRecord } from '../store/session-record.js';
import type { SessionService } from './session-service.js';

export interface SessionRetention {
  /** Since the last message or end of a turn, in milliseconds. */
  readonly maxAgeMs?: number | undefined;
  /** The sessions that were active last are kept. */
  readonly maxSessions?: number | undefined;
}

export interface SessionSweepOptions {
  readonly sessions: Pick<SessionService, 'list' | 'status' | 'delete'>;
  readonly retention: SessionRetention;
  readonly metrics?: ServerMetrics | undefined;
  /** Must not throw. */
  readonly onNotice: (notice: string) => void;
}

const PAGE = 1000;
const MINUTE_MS = 60_000;

/** Deletes sessions beyond the retention, except those with an open turn. The owner closes it. */
export class SessionSweep {
  readonly #options: SessionSweepOptions;
  readonly #timer: AgeSweep;

  constructor(options: SessionSweepOptions) {
    this.#options = options;
    const { maxAgeMs = Infinity, maxSessions } = options.retention;
    const everyMs = Math.min(sweepIntervalMs(maxAgeMs), maxSessions === undefined ? Infinity : MINUTE_MS);
    this.#timer = new AgeSweep(everyMs, () => this.run());
  }

  /** Never rejects; the next round retries. */
  async run(): Promise<void> {
    const { sessions, metrics, onNotice } = this.#options;
    try {
      for (const { id } of await this.#expired()) {
        if ((await sessions.status(id)) === 'processing') continue;
        await sessions.delete(id);
        metrics?.sessionsExpired.inc();
      }
    } catch (thrown) {
      onNotice(`could not remove old sessions, retrying later: ${String(thrown)}`);
    }
  }

  async close(): Promise<void> {
    await this.#timer.close();
  }

  async #expired(): Promise<readonly SessionRecord[]> {
    const { maxAgeMs = Infinity, maxSessions = Infinity } = this.#options.retention;
    const all: SessionRecord[] = [];
    for (let afterId: string | undefined; ; ) {
      const page = await this.#options.sessions.list({ limit: PAGE, afterId });
      all.push(...page.sessions);
      afterId = page.sessions.at(-1)?.id;
      if (!page.hasMore || afterId === undefined) break;
    }
    const oldestMs = Date.now() - maxAgeMs;
    return all
      .toSorted((one, other) => other.lastActivityAt - one.lastActivityAt)
      .filter(({ lastActivityAt }, index) => index >= maxSessions || lastActivityAt < oldestMs);
  }
}
