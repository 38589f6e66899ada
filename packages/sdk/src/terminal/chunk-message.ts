import type { Annotation, ChunkLine, LineToolCall, ToolCallDelta } from '@qwen/protocol/openai';

type Delta = ChunkLine['choices'][number]['delta'];

/** Joins the chunks of one message. */
export class ChunkMessage {
  #text = '';
  readonly #calls: { readonly index: number | undefined; call: LineToolCall }[] = [];
  readonly #annotations: Annotation[] = [];

  /** A second choice without content stays empty. */
  get isEmpty(): boolean {
    return !this.hasContent && this.#annotations.length === 0;
  }

  /** Whether there is text or a tool call. */
  get hasContent(): boolean {
    return this.#text !== '' || this.#calls.length > 0;
  }

  get text(): string {
    return this.#text;
  }

  /** Null for a message with only tool calls. */
  get content(): string | null {
    return this.#text !== '' || this.#calls.length === 0 ? this.#text : null;
  }

  get toolCalls(): readonly LineToolCall[] {
    return this.#calls.map(({ call }) => call);
  }

  /** Offsets refer to the complete text. */
  get annotations(): readonly Annotation[] {
    return this.#annotations;
  }

  add({ content, tool_calls: calls, annotations }: Delta): void {
    const before = this.#text.length;
    this.#text += content ?? '';
    for (const piece of calls ?? []) this.#addCall(piece);
    for (const annotation of annotations ?? []) this.#annotations.push(shift(annotation, before));
  }

  /** A delta belongs to the call of its index. Programs without indexes start each call with an id. */
  #addCall({ index, id, function: { name = '', arguments: more = '' } = {} }: ToolCallDelta): void {
    const entry = index === undefined ? this.#callWithoutIndex(id) : this.#calls.find((made) => made.index === index);
    if (entry === undefined) {
      this.#calls.push({ index, call: { id: id ?? '', type: 'function', function: { name, arguments: more } } });
      return;
    }
    const { call } = entry;
    const merged = { name: call.function.name || name, arguments: call.function.arguments + more };
    entry.call = { ...call, id: call.id || (id ?? ''), function: merged };
  }

  #callWithoutIndex(id: string | undefined) {
    const last = this.#calls.at(-1);
    return id === undefined || last?.call.id === id ? last : undefined;
  }
}

function shift(annotation: Annotation, by: number): Annotation {
  if (annotation.type !== 'x-qwen-terminal' || annotation.text !== undefined || by === 0) return annotation;
  const { spans, ansi } = annotation;
  return {
    ...annotation,
    ansi: ansi.map((item) => ({ ...item, offset: item.offset + by })),
    ...(spans && {
      spans: spans.map((span) => ({
        ...span,
        start_index: span.start_index + by,
        end_index: span.end_index + by,
      })),
    }),
  };
}
