/**
 * Ends the process when the lease of its app expires. `exit` must end it at once, without waiting for output: the app
 * may be frozen and read nothing.
 */
export class LeaseDeadline {
  readonly #exit: () => void;
  #expiresAtMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(exit: () => void) {
    this.#exit = exit;
  }

  /** An expired lease cannot be renewed, also if this process was frozen and its timer is late. */
  renew(ttlMs: number): void {
    const nowMs = performance.now();
    const isOver = this.#expiresAtMs !== undefined && this.#expiresAtMs <= nowMs;
    if (isOver || !(ttlMs > 0)) return this.#exit();
    this.#expiresAtMs = nowMs + ttlMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#exit, ttlMs).unref();
  }
}
