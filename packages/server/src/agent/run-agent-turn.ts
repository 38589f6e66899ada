import { setTimeout as delay } from 'node:timers/promises';
import type { SDKMessage } from '@qwen/protocol';
import type { AgentProcess, AgentTurn } from './agent-process.js';

export interface RunAgentTurnOptions {
  readonly agent: AgentProcess;
  readonly turn: AgentTurn;
  /** Starts another process that resumes the stored conversation, or starts a new one. */
  readonly replace: (resume: boolean) => Promise<AgentProcess>;
  /** Aborts when the turn is to be stopped. */
  readonly signal: AbortSignal;
}

/** How long to wait for a dying process that still locks the conversation, in milliseconds. */
const LOCK_WAIT_MS = 10_000;
const LOCK_STEP_MS = 200;

/**
 * Runs a turn and yields its messages, the result last. Server and agent have separate stores, and either may have died
 * between two writes: creates a conversation that is missing, resumes one that exists, and waits for one that is locked.
 * The turn has not started in these cases, so the agent receives the message once.
 */
export async function* runAgentTurn({
  turn,
  replace,
  signal,
  ...options
}: RunAgentTurnOptions): AsyncGenerator<SDKMessage, void, undefined> {
  let { agent } = options;
  const givesUpAt = performance.now() + LOCK_WAIT_MS;
  for (let attempt = 1; ; attempt += 1) {
    const result = yield* agent.runTurn(turn);
    const code = result.is_error ? result.error?.code : undefined;
    if (!signal.aborted && code === 'session_busy' && performance.now() < givesUpAt) {
      await delay(LOCK_STEP_MS, undefined, { signal });
      agent = await replace(agent.isResumed);
    } else if (!signal.aborted && code === 'session_not_found' && agent.isResumed && attempt === 1) {
      agent = await replace(false);
    } else if (!signal.aborted && code === 'session_exists' && !agent.isResumed && attempt === 1) {
      agent = await replace(true);
    } else {
      yield result;
      return;
    }
  }
}
