export interface HookReport {
  /** As in `hook_event_name`. */
  readonly event: string;
  readonly hook: string;
  /** `error`: no readable answer. `cancelled`: withdrawn before it answered. */
  readonly outcome: 'success' | 'blocked' | 'error' | 'cancelled';
  readonly durationMs: number;
}
