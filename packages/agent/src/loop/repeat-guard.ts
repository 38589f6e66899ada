import { AgentError } from '@qwen/protocol';
import type { ToolOutcome } from '../tool-view.js';
import type { RequestedCall } from './answer-builder.js';

/** So often in a row the same call with the same result is a loop that the model is told of. */
const TOLD_AT = 5;
/** So often, and the turn ends. */
const ENDED_AT = 8;

/** A call that is made over and over. */
export interface Loop {
  /** Set once for each loop: words for the model. */
  readonly warning?: string;
  /** Set when the turn must end. */
  readonly failure?: AgentError;
}

/** Notices that a model makes the same call over and over and gets the same result each time (F79, GAP-103). */
export class RepeatGuard {
  #name = '';
  #input = '';
  #result: ToolOutcome['content'] = '';
  #count = 0;
  #isTold = false;

  /** Takes note of the calls of one answer and of what came of them, in the same order. */
  note(calls: readonly RequestedCall[], outcomes: readonly ToolOutcome[]): Loop {
    let longest = 0;
    for (const [index, call] of calls.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined) longest = Math.max(longest, this.#countOf(call, outcome));
    }
    if (longest >= ENDED_AT) return { failure: new AgentError('loop_detected', `${this.#describe()} The turn ends.`) };
    if (longest < TOLD_AT || this.#isTold) return {};
    this.#isTold = true;
    return { warning: `${this.#describe()} Nothing will come of it: do something else, or say what keeps you.` };
  }

  #countOf({ name, input }: RequestedCall, { content }: ToolOutcome): number {
    const given = JSON.stringify(input) ?? '';
    const isSame = this.#count > 0 && name === this.#name && given === this.#input && isEqual(content, this.#result);
    if (!isSame) {
      this.#name = name;
      this.#input = given;
      this.#result = content;
      this.#count = 0;
      this.#isTold = false;
    }
    this.#count += 1;
    return this.#count;
  }

  #describe(): string {
    return `The call of ${this.#name} was made ${this.#count} times in a row, with the same input and the same result.`;
  }
}

function isEqual(left: ToolOutcome['content'], right: ToolOutcome['content']): boolean {
  return typeof left === 'string' || typeof right === 'string'
    ? left === right
    : JSON.stringify(left) === JSON.stringify(right);
}
