/**
 * Names of what the facts of all sessions are in Redis. They share one slot, so that a turn, the session that it belongs to
 * and the lists that it stands in change in one step.
 */
export class FactKeys {
  readonly prefix: string;

  constructor(name: string) {
    this.prefix = `{${name}}:`;
  }

  /** Names the slot for scripts, which find their keys by the prefix. */
  get slot(): string {
    return `${this.prefix}order`;
  }

  /** Where a process hears what is for it alone. */
  post(processId: string): string {
    return `${this.prefix}post:${processId}`;
  }

  /** Where workers hear that a session is ready for any of them. */
  get work(): string {
    return `${this.prefix}work`;
  }
}
