import { setTimeout as delay } from 'node:timers/promises';
import type { SDKMessage } from '@qwen/protocol';
import type { AgentProcess, AgentTurn } from './agent-process.js';

export interface RunAgentTurnOptions {
  readonly agent: AgentProcess;
  readonly turn: AgentTurn;
  /** Starts another process. */
  readonly replace: (resume: boolean) => Promise<AgentProcess>;
  readonly signal: AbortSignal;
}

/** A dying process may still lock the conversation. */
const LOCK_WAIT_MS = 10_000;
const LOCK_STEP_MS = 200;

/**
 * Yields the messages of a turn, the result last. The stores of server and agent may disagree after a crash: creates
 * a missing conversation, resumes an existing one, waits for a locked one. The turn has not started then. Throws the
 * reason of the signal if it aborts before the prompt is sent.
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
    // An interrupt before the prompt stops nothing.
    signal.throwIfAborted();
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
