import type { SDKMessage } from '@qwen/protocol';

interface Change {
  readonly subtype: 'model_changed' | 'permission_mode_changed';
  /** Null matches any. */
  readonly value: string | null;
}

/** The changes that the app makes by itself: it gets no message about them. */
export class OwnChanges {
  /** In the order of the requests. */
  #expected: Change[] = [];

  /** The message may come before or after the answer to the request. */
  async expect(subtype: Change['subtype'], value: string | null, request: () => Promise<unknown>): Promise<void> {
    const change: Change = { subtype, value };
    this.#expected.push(change);
    try {
      await request();
    } catch (thrown) {
      this.#expected = this.#expected.filter((expected) => expected !== change);
      throw thrown;
    }
  }

  /** Whether the message reports an expected change. True only once. */
  take(message: SDKMessage): boolean {
    if (message.type !== 'system') return false;
    const { subtype } = message;
    if (subtype !== 'model_changed' && subtype !== 'permission_mode_changed') return false;
    const changed = subtype === 'model_changed' ? message.model : message.permission_mode;
    const candidates = this.#expected.filter((change) => change.subtype === subtype);
    const values = candidates.map(({ value }) => value);
    const index = values.indexOf(values.includes(changed) ? changed : null);
    // An earlier change gets no message any more; after a change by another, none of the app's does.
    const over = new Set(index === -1 ? candidates : candidates.slice(0, index + 1));
    this.#expected = this.#expected.filter((change) => !over.has(change));
    return index !== -1;
  }
}
