import { AgentError } from '@qwen/protocol';
import type { Answer } from './run-turn.js';

export interface AnswerProblem {
  /** Shown to people; stable code. */
  readonly notice: { readonly code: 'empty_answer' | 'answer_cut'; readonly message: string };
  /** The next message to the model; undefined to end the turn with `failure`. */
  readonly request?: string;
  readonly failure: AgentError;
}

const CONTINUE =
  'Your answer was cut off at the token limit. Continue exactly where it stopped, without repeating anything.';
const EMPTY = 'Your last answer was empty. Answer the user, or call a tool.';

/**
 * A last answer that says nothing, or was cut at the token limit, is no success. The first is requested once more, the
 * second is continued once; then the turn fails.
 */
export class AnswerCheck {
  #attempts = 0;
  #before = '';

  reset(): void {
    this.#attempts = 0;
    this.#before = '';
  }

  wholeText(answer: Answer): string {
    return this.#before + answer.text;
  }

  problemOf(answer: Answer): AnswerProblem | undefined {
    const hasText = answer.text.trim() !== '';
    const isCut = answer.stopReason === 'max_tokens';
    if (hasText && !isCut) return undefined;
    this.#attempts += 1;
    if (hasText) this.#before += answer.text;
    const problem = isCut ? cutAnswer(answer) : emptyAnswer(answer);
    return this.#attempts > 1 ? problem : { ...problem, request: hasText ? CONTINUE : EMPTY };
  }
}

function cutAnswer({ model }: Answer): AnswerProblem {
  const message = `The answer of ${model} was cut off at the token limit.`;
  return {
    notice: { code: 'answer_cut', message: `${message} Asking it to continue.` },
    failure: new AgentError('answer_cut', `${message} Ask for a shorter answer, or raise the limit of output tokens.`),
  };
}

function emptyAnswer({ model, content }: Answer): AnswerProblem {
  const hasThinking = content.some(({ type }) => type === 'thinking');
  const message = `${model} returned ${hasThinking ? 'only reasoning, no answer' : 'an empty answer'}.`;
  return {
    notice: { code: 'empty_answer', message: `${message} Asking again.` },
    failure: new AgentError('empty_answer', `${message} A retry did not help. Try again, or use another model.`),
  };
}
