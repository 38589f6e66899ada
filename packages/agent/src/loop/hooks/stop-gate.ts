import type { AgentEvent } from '../../events.js';
import type { HookMoment } from '../../hook-port.js';
import { parentOf, type TurnContext } from '../turn-context.js';
import { toHookContext, toPlainHookText } from './hook-text.js';
import { runHooks } from './run-hooks.js';

const MAX_CONTINUATIONS = 10;

export class StopGate {
  #continuations = 0;

  /** The context of the hook; undefined if the agent may stop, after this answer. */
  async *pass(context: TurnContext, lastText: string): AsyncGenerator<AgentEvent, string | undefined> {
    const moment = this.#moment(context, lastText);
    const { block } = await runHooks(moment, context);
    if (block === undefined || context.control.signal.aborted) return undefined;
    const parentToolUseId = parentOf(context);
    if (this.#continuations >= MAX_CONTINUATIONS) {
      const message = `The turn ends although a hook would continue it: the limit is ${MAX_CONTINUATIONS} times.`;
      yield { type: 'notice', code: 'stop_hook_limit', message, parentToolUseId };
      return undefined;
    }
    this.#continuations += 1;
    const message = `A hook continues the turn: ${toPlainHookText(block.reason)}`;
    yield { type: 'notice', code: 'stop_hook', message, parentToolUseId };
    return toHookContext(moment.event, block.reason);
  }

  #moment({ subagent }: TurnContext, lastText: string): HookMoment {
    const isActive = this.#continuations > 0;
    if (subagent === undefined) return { event: 'Stop', isActive, lastText };
    const { name: agent, parentToolUseId } = subagent;
    return { event: 'SubagentStop', isActive, lastText, agent, parentToolUseId };
  }
}
