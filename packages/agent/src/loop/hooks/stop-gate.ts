import type { AgentEvent } from '../../events.js';
import type { HookMoment } from '../../hook-port.js';
import { parentOf, type TurnContext } from '../turn-context.js';
import { toHookContext, toPlainHookText } from './hook-text.js';
import { runHooks } from './run-hooks.js';

/** How often hooks may keep one turn going: a hook that is never content must not run up a bill for ever. */
const MAX_CONTINUATIONS = 10;

/** Where an agent that has nothing left to do passes on its way out of a turn: Stop hooks may send it back to work. */
export class StopGate {
  #continuations = 0;

  /** The words with which the agent is sent back; undefined when it may stop, or when the turn was interrupted. */
  async *pass(context: TurnContext): AsyncGenerator<AgentEvent, string | undefined> {
    const moment = this.#moment(context);
    const { block } = await runHooks(moment, context);
    if (block === undefined || context.control.signal.aborted) return undefined;
    const parentToolUseId = parentOf(context);
    if (this.#continuations >= MAX_CONTINUATIONS) {
      const message = `The turn ends although a hook wants more: it went on ${MAX_CONTINUATIONS} times already.`;
      yield { type: 'notice', code: 'stop_hook_limit', message, parentToolUseId };
      return undefined;
    }
    this.#continuations += 1;
    const message = `A hook wants more: ${toPlainHookText(block.reason)}`;
    yield { type: 'notice', code: 'stop_hook', message, parentToolUseId };
    return toHookContext(moment.event, block.reason);
  }

  #moment({ subagent }: TurnContext): HookMoment {
    const isActive = this.#continuations > 0;
    if (subagent === undefined) return { event: 'Stop', isActive };
    const { name: agent, parentToolUseId } = subagent;
    return { event: 'SubagentStop', isActive, agent, parentToolUseId };
  }
}
