import { AgentError } from '@qwen/protocol';
import type { ToolOutcome } from '../tool-view.js';
import type { RequestedCall } from './answer-builder.js';

/** Identical rounds before the model is warned. */
const WARN_AT = 5;
/** Identical rounds before the turn ends. */
const FAIL_AT = 8;

export interface Loop {
  readonly warning?: string;
  readonly failure?: AgentError;
}

/** Detects a model that repeats the same calls with the same results. */
export class RepeatGuard {
  #calls: readonly RequestedCall[] = [];
  #outcomes: readonly ToolOutcome[] = [];
  #count = 0;

  note(calls: readonly RequestedCall[], outcomes: readonly ToolOutcome[]): Loop {
    const isSame = calls.length > 0 && areEqual(calls, this.#calls) && haveEqualResults(outcomes, this.#outcomes);
    this.#calls = calls;
    this.#outcomes = outcomes;
    this.#count = isSame ? this.#count + 1 : 1;
    if (this.#count !== WARN_AT && this.#count < FAIL_AT) return {};
    const names = [...new Set(calls.map(({ name }) => name))].join(', ');
    const fact = `${names} was called ${this.#count} times in a row with the same input and the same result.`;
    if (this.#count >= FAIL_AT) return { failure: new AgentError('loop_detected', fact) };
    return { warning: `${fact} Repeating it will not help: try something else, or explain what blocks you.` };
  }
}

function areEqual(left: readonly RequestedCall[], right: readonly RequestedCall[]): boolean {
  const isEqual = ({ name, input }: RequestedCall, other: RequestedCall | undefined) =>
    name === other?.name && JSON.stringify(input) === JSON.stringify(other.input);
  return left.length === right.length && left.every((call, index) => isEqual(call, right[index]));
}

function haveEqualResults(left: readonly ToolOutcome[], right: readonly ToolOutcome[]): boolean {
  const isEqual = ({ content }: ToolOutcome, other: ToolOutcome | undefined) =>
    typeof content === 'string'
      ? content === other?.content
      : JSON.stringify(content) === JSON.stringify(other?.content);
  return left.length === right.length && left.every((outcome, index) => isEqual(outcome, right[index]));
}
