import { setTimeout as delay } from 'node:timers/promises';
import { AgentError, type SDKMessage, type SDKResultMessage } from '@qwen/protocol';
import type { AgentProcess, AgentTurn } from '../agent/agent-process.js';

export interface Conversation {
  readonly agent: AgentProcess;
  readonly turn: AgentTurn;
  /** Gets each message but the result, in order; the next one is asked for when it resolves. */
  readonly onMessage: (message: SDKMessage) => Promise<void>;
  /** The agent has the conversation in its store from now on. */
  readonly onStored: () => Promise<void>;
  /** Gives another process, which goes on with a stored conversation or begins one. */
  readonly again: (resume: boolean) => Promise<AgentProcess>;
  /** Aborts when the turn is to be stopped. */
  readonly signal: AbortSignal;
}

/** How long the process before may keep the conversation to itself, in milliseconds: it has lost its reader. */
const LOCK_WAIT_MS = 10_000;
const LOCK_STEP_MS = 200;

/**
 * Plays a turn and gives its result. The server and the agent have stores of their own, and either may have died between
 * two writes: a conversation that is not there is begun, one that is there already is gone on with, and one that a dying
 * process still holds is waited for. The turn has not begun then, so nothing is said twice.
 */
export async function converse(conversation: Conversation): Promise<SDKResultMessage> {
  const { turn, again, signal } = conversation;
  let { agent } = conversation;
  const givesUpAt = performance.now() + LOCK_WAIT_MS;
  for (let attempt = 1; ; attempt += 1) {
    const result = await playOnce(agent, conversation);
    const code = result.is_error ? result.error?.code : undefined;
    if (signal.aborted) return result;
    if (code === 'session_busy' && performance.now() < givesUpAt) {
      await delay(LOCK_STEP_MS, undefined, { signal });
      agent = await again(agent.isResumed);
    } else if (code === 'session_not_found' && agent.isResumed && attempt === 1) {
      agent = await again(false);
    } else if (code === 'session_exists' && !agent.isResumed && attempt === 1) {
      agent = await again(true);
    } else {
      return result;
    }
  }

  async function playOnce(player: AgentProcess, { onMessage, onStored }: Conversation): Promise<SDKResultMessage> {
    let isStored = false;
    for await (const message of player.play(turn)) {
      if (message.type === 'result') return message;
      // A turn opens once the conversation stands in the store.
      if (!isStored && message.type !== 'system') {
        isStored = true;
        await onStored();
      }
      await onMessage(message);
    }
    throw new AgentError('process_exited', 'The agent left before the turn was over.');
  }
}
