import type { SDKMessage } from '@qwen/protocol';

type Change = 'model_changed' | 'permission_mode_changed';

/** The changes that the app makes by itself: it gets no message about them. */
export class OwnChanges {
  readonly #expected = new Map<string, string | null>();

  /** The message may come before or after the answer to the request. A null value matches any. */
  async expect(subtype: Change, value: string | null, request: () => Promise<unknown>): Promise<void> {
    this.#expected.set(subtype, value);
    try {
      await request();
    } catch (thrown) {
      this.#expected.delete(subtype);
      throw thrown;
    }
  }

  /** Whether the message tells of an expected change. True only once. */
  take(message: SDKMessage): boolean {
    if (message.type !== 'system') return false;
    const { subtype } = message;
    if (subtype !== 'model_changed' && subtype !== 'permission_mode_changed') return false;
    const expected = this.#expected.get(subtype);
    // After another change, this one is none of the app's.
    this.#expected.delete(subtype);
    const value = subtype === 'model_changed' ? message.model : message.permission_mode;
    return expected === null || expected === value;
  }
}
