import type { ModelPart, ModelRequest } from '@qwen/models';
import { NO_USAGE, type Usage } from '@qwen/protocol';
import { messageTokens, textTokens, toolTokens } from '../conversation/context-usage.js';
import type { AssistantBlock } from '../events.js';

/** Counts the tokens of an answer that may be cut off: the provider's counts, completed by estimates. */
export class AnswerUsage {
  readonly #request: ModelRequest;
  #counted: Usage | undefined;
  #isCurrent = false;
  #isPaused: boolean;

  constructor(request: ModelRequest, signal: AbortSignal) {
    this.#request = request;
    this.#isPaused = signal.aborted;
  }

  get isCounted(): boolean {
    return this.#counted !== undefined;
  }

  readonly note = (usage: Usage): void => {
    this.#counted = usage;
    this.#isCurrent = true;
  };

  /** With every part. After a retry, nothing is known until the next answer starts. */
  follow({ type }: ModelPart): void {
    this.#isCurrent = false;
    this.#isPaused = type === 'retry';
    if (type === 'retry') this.#counted = undefined;
  }

  /** The usage of an answer with this content; `is_estimated` unless the provider counted all of it. */
  soFar(content: readonly AssistantBlock[]): Usage {
    if (this.#isPaused) return NO_USAGE;
    const counted = this.#counted;
    if (counted !== undefined && this.#isCurrent) return counted;
    const output = Math.max(counted?.output_tokens ?? 0, contentTokens(content));
    const input =
      counted === undefined || counted.input_tokens === 0 ? requestTokens(this.#request) : counted.input_tokens;
    return {
      ...NO_USAGE,
      ...counted,
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      is_estimated: true,
    };
  }
}

function requestTokens({ system, tools, messages }: ModelRequest): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), textTokens(system) + toolTokens(tools));
}

function contentTokens(content: readonly AssistantBlock[]): number {
  return content.reduce((sum, block) => sum + textTokens(textOf(block)), 0);
}

function textOf(block: AssistantBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return block.thinking;
    case 'tool_use':
      return block.name + (typeof block.input === 'string' ? block.input : JSON.stringify(block.input));
  }
}
