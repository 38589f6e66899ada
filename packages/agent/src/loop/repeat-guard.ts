import { AgentError } from '@qwen/protocol';
import type { ToolOutcome } from '../tool-view.js';
import type { RequestedCall } from './answer-builder.js';

/** So many answers in a row with the same calls and the same results are a loop that the model is told of. */
const WARN_AT = 5;
/** So many, and the turn ends. */
const FAIL_AT = 8;

/** What follows from calls that are made over and over. */
export interface Loop {
  /** Set once for each loop: words for the model. */
  readonly warning?: string;
  /** Set when the turn must end. */
  readonly failure?: AgentError;
}

/** Notices that a model makes the same calls over and over and reads the same results each time (F79, GAP-103). */
export class RepeatGuard {
  #calls: readonly RequestedCall[] = [];
  #outcomes: readonly ToolOutcome[] = [];
  #count = 0;

  /** Takes note of the calls of one answer and of what came of them, in the same order. */
  note(calls: readonly RequestedCall[], outcomes: readonly ToolOutcome[]): Loop {
    const isSame = calls.length > 0 && areEqual(calls, this.#calls) && haveEqualResults(outcomes, this.#outcomes);
    this.#calls = calls;
    this.#outcomes = outcomes;
    this.#count = isSame ? this.#count + 1 : 1;
    if (this.#count !== WARN_AT && this.#count < FAIL_AT) return {};
    const names = [...new Set(calls.map(({ name }) => name))].join(', ');
    const fact = `${names} was called ${this.#count} times in a row with the same input and the same result.`;
    if (this.#count >= FAIL_AT) return { failure: new AgentError('loop_detected', fact) };
    return { warning: `${fact} Nothing new will come of it: do something else, or say what keeps you.` };
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
