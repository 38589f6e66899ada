import { AgentError, createDeferred } from '@qwen/protocol';
import type { AgentEvent } from '../events.js';
import type { SessionStartHooks } from '../loop/hooks/session-start-hooks.js';
import type { TurnBudget } from '../loop/turn-budget.js';
import type { TurnContext } from '../loop/turn-context.js';
import type { SessionState } from './create-turn-context.js';

/** What the session lends to an task. */
export interface SessionTaskContext {
  readonly state: SessionState;
  readonly opening: SessionStartHooks;
  /** Of this task alone. */
  readonly budget: TurnBudget;
  /** To call the model with. Rejects when a rule or its path cannot be read. */
  readonly createContext: () => Promise<TurnContext>;
}

/** Work on the conversation that is no turn, told as events. */
export type SessionTaskWork<Result> = (session: SessionTaskContext) => AsyncGenerator<AgentEvent, Result>;

/** Work that waits in the inbox like a prompt. Whoever empties the inbox runs it or drops it, once. */
export interface SessionTask {
  run(session: SessionTaskContext): AsyncGenerator<AgentEvent, void>;
  drop(reason: AgentError): void;
}

/**
 * An task, and what comes of it: the result of the work, the error that it threw, the reason for which it was dropped,
 * or `channel_closed` when nobody read it to its end.
 */
export function createSessionTask<Result>(work: SessionTaskWork<Result>): {
  readonly task: SessionTask;
  readonly done: Promise<Result>;
} {
  const { promise: done, resolve, reject } = createDeferred<Result>();
  const task: SessionTask = {
    drop: reject,
    async *run(session) {
      try {
        resolve(yield* work(session));
      } catch (thrown) {
        reject(AgentError.from(thrown));
      } finally {
        reject(new AgentError('channel_closed', 'Nobody reads the session any more.'));
      }
    },
  };
  return { task, done };
}
