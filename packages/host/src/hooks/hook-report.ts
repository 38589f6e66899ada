/** How one run of one hook came out, for whoever wants to see all of them. */
export interface HookReport {
  /** The moment, as hooks read it in `hook_event_name`. */
  readonly event: string;
  /** What the hook is: the id of a callback, or a command as JSON. */
  readonly hook: string;
  /**
   * `blocked`: it said no. `error`: it gave no answer that can be read, whatever follows from that. `cancelled`: it was
   * withdrawn before it answered.
   */
  readonly outcome: 'success' | 'blocked' | 'error' | 'cancelled';
  readonly durationMs: number;
}
