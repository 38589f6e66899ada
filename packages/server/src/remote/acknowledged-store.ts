import { MemoryStore } from '../log/memory-store.js';

/**
 * Events that are forgotten when their reader says that it has them, and never before: what a cut connection lost is
 * there to be asked for again. The writer bounds how much that can be.
 */
export class AcknowledgedStore extends MemoryStore {
  readonly #acknowledged = new Map<string, number>();

  /** The reader of this session has everything up to this seq; the next `evict` drops it. */
  acknowledge(sessionId: string, seq: number): void {
    this.#acknowledged.set(sessionId, seq);
  }

  override async evict(sessionId: string): Promise<number> {
    const { lastSeq } = await this.read({ sessionId, afterSeq: 0, limit: 0, maxBytes: 0 });
    return super.evict(sessionId, { maxEvents: lastSeq - (this.#acknowledged.get(sessionId) ?? 0) });
  }

  override async delete(sessionId: string): Promise<void> {
    this.#acknowledged.delete(sessionId);
    await super.delete(sessionId);
  }
}
