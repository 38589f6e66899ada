import { AgentError } from '@qwen/protocol';
import type { AppendOutcome, SessionAppend } from './event-store.js';
import { type AppendReceipt, eventBytes, type NewEvent } from './logged-event.js';

interface Pending {
  readonly entry: SessionAppend;
  readonly writer: object | undefined;
  readonly bytes: number;
  readonly resolve: (receipts: readonly AppendReceipt[]) => void;
  readonly reject: (error: unknown) => void;
}

interface SessionGroup {
  readonly sessionId: string;
  readonly fence?: string | undefined;
  readonly events: NewEvent[];
  readonly parts: { readonly pending: Pending; readonly start: number; readonly end: number }[];
}

const MAX_STEP_BYTES = 1024 * 1024;

/** Group commit: appends that arrive during a durable step are written in the next one, as one entry per session. */
export class AppendBatcher {
  readonly #write: (batch: readonly SessionAppend[]) => Promise<readonly AppendOutcome[]>;
  readonly #maxPendingBytes: number;
  /** First failure by writer. */
  readonly #failures = new WeakMap<object, { readonly error: unknown }>();
  #queue: Pending[] = [];
  #pendingBytes = 0;
  #isRunning = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(write: (batch: readonly SessionAppend[]) => Promise<readonly AppendOutcome[]>, maxPendingBytes: number) {
    this.#write = write;
    this.#maxPendingBytes = maxPendingBytes;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Resolves when the events are durable. Errors: `overloaded`; those of the store. */
  add(entry: SessionAppend, writer?: object): Promise<readonly AppendReceipt[]> {
    const bytes = entry.events.reduce((sum, event) => sum + eventBytes(event), 0);
    const { promise, resolve, reject } = Promise.withResolvers<readonly AppendReceipt[]>();
    const pending: Pending = { entry, writer, bytes, resolve, reject };
    if (this.#rejectFailed(pending)) return promise;
    if (this.#pendingBytes > 0 && this.#pendingBytes + bytes > this.#maxPendingBytes) {
      const message = `Too many events are waiting to be written (${this.#pendingBytes} bytes).`;
      this.#fail(pending, new AgentError('overloaded', message));
      return promise;
    }
    this.#pendingBytes += bytes;
    this.#queue.push(pending);
    this.#last = promise;
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  /** Never rejects. */
  async settled(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Includes all appends of this tick.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const step = this.#nextStep();
      const groups = groupBySession(step.filter((pending) => !this.#rejectFailed(pending)));
      if (groups.length > 0) await this.#commit(groups);
      for (const { bytes } of step) this.#pendingBytes -= bytes;
    }
    this.#isRunning = false;
  }

  #nextStep(): Pending[] {
    let bytes = 0;
    const end = this.#queue.findIndex((pending, index) => {
      bytes += pending.bytes;
      return index > 0 && bytes > MAX_STEP_BYTES;
    });
    return this.#queue.splice(0, end === -1 ? this.#queue.length : end);
  }

  async #commit(groups: readonly SessionGroup[]): Promise<void> {
    try {
      const outcomes = await this.#write(groups.map(({ sessionId, events, fence }) => ({ sessionId, events, fence })));
      for (const [index, { parts }] of groups.entries()) {
        const outcome = outcomes[index] ?? new AgentError('internal', 'The store returned no outcome for an append.');
        for (const { pending, start, end } of parts) {
          if (AgentError.is(outcome)) this.#fail(pending, outcome);
          else pending.resolve(outcome.slice(start, end));
        }
      }
    } catch (error) {
      for (const { parts } of groups) for (const { pending } of parts) this.#fail(pending, error);
    }
  }

  #fail({ writer, reject }: Pending, error: unknown): void {
    if (writer !== undefined && !this.#failures.has(writer)) this.#failures.set(writer, { error });
    reject(error);
  }

  #rejectFailed({ writer, reject }: Pending): boolean {
    const failure = writer === undefined ? undefined : this.#failures.get(writer);
    if (failure === undefined) return false;
    reject(failure.error);
    return true;
  }
}

/** Redis needs one entry per session to detect a repeated step. */
function groupBySession(step: readonly Pending[]): readonly SessionGroup[] {
  const groups = new Map<string, SessionGroup>();
  for (const pending of step) {
    const { sessionId, events, fence } = pending.entry;
    const key = `${fence ?? ''} ${sessionId}`;
    const group = groups.get(key) ?? { sessionId, fence, events: [], parts: [] };
    groups.set(key, group);
    const start = group.events.length;
    group.events.push(...events);
    group.parts.push({ pending, start, end: group.events.length });
  }
  return [...groups.values()];
}
