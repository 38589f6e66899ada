import type { ChunkLine, CompletionLine } from '@qwen/protocol/openai';
import { ChunkMessage } from './chunk-message.js';
import { placeKey, placeOf } from './line-place.js';

type Choice = ChunkLine['choices'][number];
type Arriving = Map<number, { readonly message: ChunkMessage; finishReason: string | null }>;

/**
 * Makes the whole messages of chunk lines (C-13), one for each message as the message format has it. Lines of several
 * sessions may come in turns; a line that is whole already passes as it is. Choices without words are left out
 * (C-14). A message waits for the tokens of its model call, which follow it, or for the next line of its place.
 */
export class CompletionCollector {
  readonly #arriving = new Map<string, Arriving>();
  readonly #finished = new Map<string, CompletionLine>();

  /** Takes one line and gives the lines that are now whole. */
  push(line: ChunkLine | CompletionLine): CompletionLine[] {
    if (line.object === 'chat.completion') return [line];
    const key = placeKey(placeOf(line));
    const waiting = this.#finished.get(key);
    this.#finished.delete(key);
    if (line.choices.length === 0 && line.usage != null && waiting !== undefined) {
      return [{ ...waiting, usage: line.usage }];
    }
    const message = this.#add(key, line);
    const whole = waiting === undefined ? [] : [waiting];
    if (message === undefined) return whole;
    if (message.usage != null || message.choices.every(({ finish_reason: reason }) => reason === null)) {
      return [...whole, message];
    }
    this.#finished.set(key, message);
    return whole;
  }

  /** The messages that waited for tokens that did not come. One that was cut short is not among them. */
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
    const said = [...arriving].filter(([, { message, finishReason }]) => !message.isEmpty || finishReason !== null);
    const isArriving = said.some(([, { message, finishReason }]) => finishReason === null && message.hasWords);
    // A role says nothing yet, and news between messages are whole by themselves.
    if (isArriving || (said.length === 0 && line.choices.length > 0)) return undefined;
    this.#arriving.delete(key);
    return { ...line, object: 'chat.completion', choices: said.map(toWholeChoice) };
  }
}

function toWholeChoice([index, { message, finishReason }]: readonly [
  number,
  { readonly message: ChunkMessage; readonly finishReason: Choice['finish_reason'] },
]): CompletionLine['choices'][number] {
  const { content, toolCalls, annotations, hasWords } = message;
  return {
    index,
    message: {
      role: 'assistant',
      content: hasWords || finishReason !== null ? content : null,
      refusal: null,
      ...(toolCalls.length > 0 && { tool_calls: [...toolCalls] }),
      ...(annotations.length > 0 && { annotations: [...annotations] }),
    },
    logprobs: null,
    finish_reason: finishReason ?? null,
  };
}

/** The whole lines of a stream of lines in either format, each as soon as it is whole. */
export async function* collectCompletions(
  lines: AsyncIterable<ChunkLine | CompletionLine> | Iterable<ChunkLine | CompletionLine>,
): AsyncGenerator<CompletionLine, void, undefined> {
  const collector = new CompletionCollector();
  for await (const line of lines) yield* collector.push(line);
  yield* collector.flush();
}
