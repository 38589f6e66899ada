import { messageOf } from '@qwen/protocol';

export type Verdict = 'pass' | 'fail' | 'skip';

export interface Outcome {
  readonly id: string;
  /** What the check expects. */
  readonly title: string;
  readonly verdict: Verdict;
  readonly reason?: string | undefined;
}

/** Runs checks in order. After a failed one that others need, these are skipped. */
export class Report {
  readonly outcomes: Outcome[] = [];
  #blocked: string | undefined;

  /** Starts a group whose checks depend on each other. */
  group(): void {
    this.#blocked = undefined;
  }

  async check(id: string, title: string, run: () => unknown): Promise<void> {
    if (this.#blocked !== undefined) {
      this.outcomes.push({ id, title, verdict: 'skip', reason: `needs ${this.#blocked}` });
      return;
    }
    try {
      await run();
      this.outcomes.push({ id, title, verdict: 'pass' });
    } catch (thrown) {
      this.outcomes.push({ id, title, verdict: 'fail', reason: messageOf(thrown) });
    }
  }

  /** A check without which the rest of the group has no meaning. */
  async need(id: string, title: string, run: () => unknown): Promise<void> {
    await this.check(id, title, run);
    if (this.outcomes.at(-1)?.verdict !== 'pass') this.#blocked ??= id;
  }

  get hasFailures(): boolean {
    return this.outcomes.some(({ verdict }) => verdict === 'fail');
  }

  toText(): string {
    const width = Math.max(...this.outcomes.map(({ id }) => id.length));
    const lines = this.outcomes.map(({ id, title, verdict, reason }) => {
      const line = `${verdict}  ${id.padEnd(width)}  ${title}`;
      return reason === undefined ? line : `${line}\n      ${reason.replaceAll('\n', '\n      ')}`;
    });
    const count = (verdict: Verdict) => this.outcomes.filter((outcome) => outcome.verdict === verdict).length;
    return `${lines.join('\n')}\n${count('pass')} passed, ${count('fail')} failed, ${count('skip')} skipped\n`;
  }
}

export function expectEqual(found: unknown, wanted: unknown, what: string): void {
  if (JSON.stringify(found) === JSON.stringify(wanted)) return;
  throw new Error(`${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)?.slice(0, 300)}`);
}
