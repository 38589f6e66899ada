import { AgentError } from '@qwen/protocol';
import { type Job, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { ServerMetrics } from '../../metrics/server-metrics.js';
import type { Fence } from '../../redis/fence.js';
import type { ReplicaBarrier } from '../../redis/replica-barrier.js';
import { settlesWithin } from '../settles-within.js';
import type { TurnCommand } from '../turn-dispatcher.js';
import type { Ack } from './rpc-messages.js';
import type { SessionHolders } from './session-holders.js';
import { MAX_ATTEMPTS, QUEUE_NAME, type SessionJobData, type SessionQueue } from './session-queue.js';
import { SessionRun, type SessionRunOptions } from './session-run.js';

export interface SessionWorkerOptions {
  readonly queue: SessionQueue;
  readonly queuePrefix: string;
  readonly holders: SessionHolders;
  /** Without a limit of retries, as BullMQ requires. `close()` disconnects it. */
  readonly redis: Redis;
  readonly barrier: Pick<ReplicaBarrier, 'pass'>;
  readonly worker: SessionRunOptions['worker'];
  /** How long a session stays with a process that does not renew it, in milliseconds. */
  readonly leaseMs: number;
  readonly maxSessions: number;
  readonly contextOf: (sessionId: string, fence: Fence) => Pick<SessionRunOptions, 'store' | 'log' | 'conversation'>;
  /** Called now and then; may reject. */
  readonly onSweep: () => Promise<void>;
  /** Must not throw. */
  readonly onNotice: (notice: string) => void;
  readonly metrics?: ServerMetrics | undefined;
}

/** Workers that a session may end without a turn that ran; then its turns are ended. */
const MAX_KILLED_WORKERS = 3;
/** The agent's share of the lease; the rest is for shutting it down. */
const TRUSTED = 0.75;
const RENEWALS = 6;
const SWEEP_MS = 5000;
/** Shorter than the command timeout of the connection. */
const BLOCK_SECONDS = 2;
const RETRY_MS = 1000;
/** How long the close waits for Redis. */
const CLOSE_MS = 3000;

/** Runs sessions of the queue, up to `maxSessions` at a time, those with an idle agent among them. */
export class SessionWorker {
  readonly #options: SessionWorkerOptions;
  readonly #worker: RenewingWorker;
  readonly #runs = new Map<string, SessionRun>();
  readonly #runByJob = new Map<string, SessionRun>();
  readonly #timers: readonly NodeJS.Timeout[];
  #isDown = false;
  #isSweeping = false;
  #isClosed = false;

  constructor(options: SessionWorkerOptions) {
    this.#options = options;
    const { leaseMs, redis, queuePrefix, maxSessions } = options;
    this.#worker = new RenewingWorker(QUEUE_NAME, (job, token = '') => this.#process(job, token), {
      connection: redis,
      prefix: queuePrefix,
      concurrency: maxSessions,
      lockDuration: Math.ceil(leaseMs),
      // Redis takes only integers.
      lockRenewTime: Math.ceil(leaseMs / RENEWALS),
      stalledInterval: Math.ceil(leaseMs / (2 * RENEWALS)),
      // `#process` counts them, because it ends the turns of such a session.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      drainDelay: BLOCK_SECONDS,
      runRetryDelay: RETRY_MS,
    });
    this.#worker.onRenewed = (jobIds, lost, askedAtMs) => void this.#renewed(jobIds, lost, askedAtMs);
    this.#worker.on('stalled', () => options.metrics?.jobsStalled.inc());
    this.#worker.on('error', (error) => this.#notice(error));
    this.#timers = [
      setInterval(() => this.#checkTrust(), leaseMs / (2 * RENEWALS)),
      setInterval(() => void this.#sweep(), Math.min(SWEEP_MS, leaseMs)),
    ];
    void this.#sweep();
  }

  /** It has a new turn, or its agent has exited. */
  wake(sessionId: string): void {
    this.#runs.get(sessionId)?.wake();
  }

  async handle(sessionId: string, command: TurnCommand): Promise<Ack> {
    const run = this.#runs.get(sessionId);
    if (run === undefined || run.isRevoked) return 'elsewhere';
    if (command.kind === 'leave') run.finish();
    const reply = await this.#options.worker.handle(sessionId, command);
    if (command.kind === 'leave') await run.done;
    if (typeof reply === 'object') return reply;
    return reply ? 'yes' : 'no';
  }

  /** Gives running turns `graceMs` to end; other workers get the rest. */
  async close({ graceMs }: { readonly graceMs: number }): Promise<void> {
    this.#isClosed = true;
    // Takes no more jobs, and waits for those that run.
    const closed = this.#worker.close();
    const runs = [...this.#runs.values()];
    for (const run of runs) run.finish();
    const ended = Promise.all(runs.map(({ done }) => done));
    if (!(await settlesWithin(ended, graceMs))) await this.#options.worker.stop();
    await ended;
    for (const timer of this.#timers) clearInterval(timer);
    // Redis may be gone; its locks expire.
    await settlesWithin(closed, CLOSE_MS);
    this.#options.redis.disconnect();
  }

  async #process(job: Job<SessionJobData>, token: string): Promise<void> {
    const { queue, holders, leaseMs, worker } = this.#options;
    const { sessionId } = job.data;
    const askedAtMs = performance.now();
    const lockKey = queue.lockKey(String(job.id));
    let fence: Fence | undefined;
    let run: SessionRun | undefined;
    try {
      fence = await holders.claim({ sessionId, lockKey, token, lockMs: Math.ceil(leaseMs) });
      // This process lost it and got it again.
      const before = this.#runs.get(sessionId);
      before?.revoke();
      await before?.done;
      run = new SessionRun({
        ...this.#options.contextOf(sessionId, fence),
        sessionId,
        worker,
        trustedUntilMs: askedAtMs + leaseMs * TRUSTED,
        failures: { thrown: job.attemptsMade, killed: job.stalledCounter },
        onIdle: () => this.#keepPlace(),
        metrics: this.#options.metrics,
      });
      await this.#run(run, { job, sessionId });
      await holders.release(sessionId, fence);
    } catch (thrown) {
      const error = AgentError.from(thrown);
      if (error.code === 'session_not_found') return;
      if (!this.#isClosed) this.#options.onNotice(`session ${sessionId}: ${error.message}`);
      if (fence !== undefined && run !== undefined && error.code !== 'lease_lost') {
        if (job.attemptsMade + 1 >= MAX_ATTEMPTS) await run.giveUp();
        await holders.release(sessionId, fence).catch(() => undefined);
      }
      throw thrown;
    }
  }

  async #run(
    run: SessionRun,
    { job, sessionId }: { readonly job: Job<SessionJobData>; readonly sessionId: string },
  ): Promise<void> {
    if (job.stalledCounter >= MAX_KILLED_WORKERS) {
      await run.giveUp();
      throw new UnrecoverableError(`${job.stalledCounter} workers died while they had the session.`);
    }
    const jobId = String(job.id);
    this.#runs.set(sessionId, run);
    this.#runByJob.set(jobId, run);
    this.#keepPlace();
    if (this.#isClosed) run.finish();
    try {
      const hasTurns = await run.run();
      if (hasTurns) await this.#options.queue.add(sessionId, { isContinued: true });
    } finally {
      this.#runByJob.delete(jobId);
      if (this.#runs.get(sessionId) === run) this.#runs.delete(sessionId);
    }
  }

  /** Only a renewal that a failover cannot lose counts. */
  async #renewed(jobIds: readonly string[], lost: readonly string[], askedAtMs: number): Promise<void> {
    const { barrier, leaseMs, onNotice, metrics } = this.#options;
    for (const jobId of lost) {
      const run = this.#runByJob.get(jobId);
      if (run === undefined || run.isRevoked) continue;
      onNotice(`session ${run.sessionId}: another process has taken it over`);
      metrics?.leasesLost.inc();
      run.revoke();
    }
    try {
      await barrier.pass();
    } catch {
      return;
    }
    for (const jobId of jobIds) {
      if (!lost.includes(jobId)) this.#runByJob.get(jobId)?.renew(askedAtMs + leaseMs * TRUSTED);
    }
    this.#isDown = false;
  }

  #checkTrust(): void {
    for (const run of this.#runs.values()) {
      if (!run.checkTrust()) continue;
      this.#options.metrics?.leasesLost.inc();
      this.#options.onNotice(`session ${run.sessionId}: could not renew its lease in time`);
    }
  }

  /** With all places taken, the agent that has been idle longest makes room, so that the worker can take more. */
  #keepPlace(): void {
    if (this.#runs.size < this.#options.maxSessions) return;
    const idle = [...this.#runs.values()].filter(({ idleSinceMs }) => idleSinceMs !== undefined);
    idle.toSorted((one, other) => Number(one.idleSinceMs) - Number(other.idleSinceMs))[0]?.finish();
  }

  async #sweep(): Promise<void> {
    if (this.#isSweeping || this.#isClosed) return;
    this.#isSweeping = true;
    try {
      await this.#options.queue.sweep();
      await this.#options.onSweep();
    } catch (thrown) {
      this.#notice(thrown);
    } finally {
      this.#isSweeping = false;
    }
  }

  /** Once per outage. */
  #notice(thrown: unknown): void {
    if (this.#isDown || this.#isClosed) return;
    this.#isDown = true;
    this.#options.onNotice(`job queue: ${String(thrown)}`);
  }
}

/** Reports renewals with the time before the request, from which the lock counts at least. */
class RenewingWorker extends Worker<SessionJobData, void> {
  onRenewed: (jobIds: readonly string[], lost: readonly string[], askedAtMs: number) => void = () => undefined;

  override async extendJobLocks(jobIds: string[], tokens: string[], duration: number): Promise<string[]> {
    const askedAtMs = performance.now();
    const lost = await super.extendJobLocks(jobIds, tokens, duration);
    this.onRenewed(jobIds, lost, askedAtMs);
    return lost;
  }
}
