import type { AgentEvent } from '@qwen/agent';
import type { LineToolCall } from '@qwen/protocol/openai';
import { toArguments } from './openai-fields.js';

export type BlockEvent = Extract<AgentEvent, { readonly type: `block_${string}` }>;

/** Builds an answer from its pieces; both formats share it. */
export class AnswerDraft {
  #text = '';
  readonly #calls = new Map<number, LineToolCall>();

  take(event: BlockEvent): void {
    if (event.type === 'block_delta') {
      if (event.kind === 'text') this.#text += event.text;
      const call = event.kind === 'input_json' ? this.#calls.get(event.index) : undefined;
      if (call !== undefined) call.function.arguments += event.text;
      return;
    }
    const { block, index } = event;
    if (block.type !== 'tool_use') return;
    if (event.type === 'block_start') {
      this.#calls.set(index, { id: block.id, type: 'function', function: { name: block.name, arguments: '' } });
      return;
    }
    const call = this.#calls.get(index);
    if (call?.function.arguments === '') call.function.arguments = toArguments(block);
  }

  get text(): string | null {
    return this.#text === '' ? null : this.#text;
  }

  get calls(): LineToolCall[] {
    return [...this.#calls].toSorted(([left], [right]) => left - right).map(([, call]) => call);
  }
}
