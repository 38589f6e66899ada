import type { ChunkLine, CompletionLine } from '@qwen/protocol/openai';
import { ChunkMessage } from './chunk-message.js';
import { scopeKey, scopeOf } from './line-scope.js';

type Choice = ChunkLine['choices'][number];
type Arriving = Map<number, { readonly message: ChunkMessage; finishReason: string | null }>;

/**
 * Joins chunk lines into complete messages, as in the message format. Sessions may interleave; complete lines pass
 * unchanged, and empty choices are omitted. A message is held back until its token usage, or the next line of its
 * session and turn, arrives.
 *
 * @example
 * import { createInterface } from 'node:readline';
 * import { CompletionCollector, readOutputLine } from '@qwen/sdk/terminal';
 *
 * const collector = new CompletionCollector();
 * for await (const line of createInterface({ input: process.stdin })) {
 *   const output = readOutputLine(line);
 *   if (output.kind === 'chunk' || output.kind === 'completion') console.log(collector.push(output.line));
 * }
 * console.log(collector.flush());
 */
export class CompletionCollector {
  readonly #arriving = new Map<string, Arriving>();
  readonly #finished = new Map<string, CompletionLine>();

  /** Takes one line and returns those that are now complete. */
  push(line: ChunkLine | CompletionLine): CompletionLine[] {
    if (line.object === 'chat.completion') return [line];
    const key = scopeKey(scopeOf(line));
    const waiting = this.#finished.get(key);
    this.#finished.delete(key);
    if (line.choices.length === 0 && line.usage != null && waiting !== undefined) {
      return [{ ...waiting, usage: line.usage }];
    }
    const message = this.#add(key, line);
    const complete = waiting === undefined ? [] : [waiting];
    if (message === undefined) return complete;
    if (message.usage != null || message.choices.every(({ finish_reason: reason }) => reason === null)) {
      return [...complete, message];
    }
    this.#finished.set(key, message);
    return complete;
  }

  /** Returns the messages held back for token usage. An incomplete message is not among them. */
  flush(): CompletionLine[] {
    const waiting = [...this.#finished.values()];
    this.#finished.clear();
    return waiting;
  }

  #add(key: string, line: ChunkLine): CompletionLine | undefined {
    const arriving: Arriving = this.#arriving.get(key) ?? new Map();
    this.#arriving.set(key, arriving);
    for (const { index = 0, delta, finish_reason: finishReason } of line.choices) {
      const choice = arriving.get(index) ?? { message: new ChunkMessage(), finishReason: null };
      choice.message.add(delta);
      choice.finishReason = finishReason ?? choice.finishReason;
      arriving.set(index, choice);
    }
    const present = [...arriving].filter(([, { message, finishReason }]) => !message.isEmpty || finishReason !== null);
    const isArriving = present.some(([, { message, finishReason }]) => finishReason === null && message.hasContent);
    // A role alone is not a message yet; a line without choices is complete.
    if (isArriving || (present.length === 0 && line.choices.length > 0)) return undefined;
    this.#arriving.delete(key);
    return { ...line, object: 'chat.completion', choices: present.map(toCompleteChoice) };
  }
}

function toCompleteChoice([index, { message, finishReason }]: readonly [
  number,
  { readonly message: ChunkMessage; readonly finishReason: Choice['finish_reason'] },
]): CompletionLine['choices'][number] {
  const { content, toolCalls, annotations, hasContent } = message;
  return {
    index,
    message: {
      role: 'assistant',
      content: hasContent || finishReason !== null ? content : null,
      refusal: null,
      ...(toolCalls.length > 0 && { tool_calls: [...toolCalls] }),
      ...(annotations.length > 0 && { annotations: [...annotations] }),
    },
    logprobs: null,
    finish_reason: finishReason ?? null,
  };
}

/**
 * The complete lines of a stream in either format.
 *
 * @example
 * import { type ChunkLine, collectCompletions } from '@qwen/sdk/terminal';
 *
 * const chunk = { object: 'chat.completion.chunk' as const, created: 0, model: 'qwen3-coder' };
 * const chunks: ChunkLine[] = [
 *   { ...chunk, id: '1', choices: [{ index: 0, delta: { content: 'Hel' }, finish_reason: null }] },
 *   { ...chunk, id: '1', choices: [{ index: 0, delta: { content: 'lo' }, finish_reason: 'stop' }] },
 * ];
 * for await (const line of collectCompletions(chunks)) console.log(line.choices[0]?.message.content);
 */
export async function* collectCompletions(
  lines: AsyncIterable<ChunkLine | CompletionLine> | Iterable<ChunkLine | CompletionLine>,
): AsyncGenerator<CompletionLine, void, undefined> {
  const collector = new CompletionCollector();
  for await (const line of lines) yield* collector.push(line);
  yield* collector.flush();
}
