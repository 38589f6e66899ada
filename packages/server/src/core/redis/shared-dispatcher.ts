import { setTimeout as delay } from 'node:timers/promises';
import { AgentError } from '@qwen/protocol';
import type { TurnDispatcher, TurnWord } from '../turn-dispatcher.js';
import type { PostOffice } from './post-office.js';
import type { Heard } from './post-words.js';
import type { SessionKeeper } from './session-keeper.js';
import type { SessionLeases } from './session-leases.js';

export interface SharedDispatcherOptions {
  readonly leases: SessionLeases;
  readonly post: PostOffice;
  /** Missing: this process plays no turns. */
  readonly keeper: SessionKeeper | undefined;
}

/** How long a word looks for whoever has the session: longer than a lease holds whose process is dead. */
const EXTRA_MS = 5000;
const STEP_MS = 250;

/** Turns for the workers of all processes that share a Redis; this one may have a worker too. */
export class SharedDispatcher implements TurnDispatcher {
  readonly #options: SharedDispatcherOptions;

  constructor(options: SharedDispatcherOptions) {
    this.#options = options;
  }

  /** A turn is known to the workers in the same step in which it is in the store. */
  async enqueue(): Promise<void> {}

  /** Errors: `timeout` when whoever has the session does not answer, and nobody has taken it over. */
  async tell(sessionId: string, word: TurnWord): Promise<boolean> {
    const { leases } = this.#options;
    const givesUpAt = performance.now() + leases.leaseMs + EXTRA_MS;
    for (;;) {
      const holder = await leases.holderOf(sessionId);
      if (holder === undefined) return false;
      const timeoutMs = givesUpAt - performance.now();
      if (timeoutMs <= 0) throw new AgentError('timeout', 'The process that plays the session does not answer.');
      const heard = await this.#say({ to: holder, sessionId, word, timeoutMs });
      if (heard === 'yes' || heard === 'no') return heard === 'yes';
      await delay(STEP_MS);
    }
  }

  async close({ graceMs }: { readonly graceMs: number }): Promise<void> {
    const { keeper, post } = this.#options;
    await keeper?.close({ graceMs });
    post.close();
  }

  async #say(letter: Parameters<PostOffice['say']>[0]): Promise<Heard | 'absent'> {
    const { leases, keeper, post } = this.#options;
    if (letter.to === leases.processId && keeper !== undefined) return keeper.hear(letter.sessionId, letter.word);
    return post.say(letter);
  }
}
