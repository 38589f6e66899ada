import type { SDKMessage } from '@qwen/protocol';

type Change = 'model_changed' | 'permission_mode_changed';

/** The changes that the app makes by itself: it gets no message about them. */
export class OwnChanges {
  readonly #expected = new Map<string, string | null>();

  /** The message comes before the answer to the request. A null value matches any. */
  async during(subtype: Change, value: string | null, request: () => Promise<unknown>): Promise<void> {
    this.#expected.set(subtype, value);
    try {
      await request();
    } finally {
      this.#expected.delete(subtype);
    }
  }

  /** Whether the message tells of an expected change. True only once. */
  take(message: SDKMessage): boolean {
    if (message.type !== 'system') return false;
    const { subtype } = message;
    if (subtype !== 'model_changed' && subtype !== 'permission_mode_changed') return false;
    const expected = this.#expected.get(subtype);
    const value = subtype === 'model_changed' ? message.model : message.permission_mode;
    if (expected === undefined || (expected !== null && expected !== value)) return false;
    this.#expected.delete(subtype);
    return true;
  }
}
