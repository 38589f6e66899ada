import { AgentError } from '@qwen/protocol';
import type { AgentEvent } from '../events.js';
import type { SessionStartHooks } from '../loop/hooks/session-start-hooks.js';
import type { TurnBudget } from '../loop/turn-budget.js';
import type { TurnContext } from '../loop/turn-context.js';
import type { SessionState } from './create-turn-context.js';

export interface SessionTaskContext {
  readonly state: SessionState;
  readonly opening: SessionStartHooks;
  readonly budget: TurnBudget;
  /** Rejects if a rule or its path is invalid. */
  readonly createContext: () => Promise<TurnContext>;
}

/** Work on the history that is not a turn. */
export type SessionTaskWork<Result> = (session: SessionTaskContext) => AsyncGenerator<AgentEvent, Result>;

/** Waits in the inbox like a prompt; runs or is dropped exactly once. */
export interface SessionTask {
  run(session: SessionTaskContext): AsyncGenerator<AgentEvent, void>;
  drop(reason: AgentError): void;
}

/**
 * `done` settles with the result or error of the work, the drop reason, or `channel_closed` if no one read it to its
 * end.
 */
export function createSessionTask<Result>(work: SessionTaskWork<Result>): {
  readonly task: SessionTask;
  readonly done: Promise<Result>;
} {
  const { promise: done, resolve, reject } = Promise.withResolvers<Result>();
  const task: SessionTask = {
    drop: reject,
    async *run(session) {
      try {
        resolve(yield* work(session));
      } catch (thrown) {
        reject(AgentError.from(thrown));
      } finally {
        reject(new AgentError('channel_closed', 'The session no longer has a reader.'));
      }
    },
  };
  return { task, done };
}
