import type { ToolOutcome } from '@qwen/agent';
import type { Usage } from '@qwen/protocol';
import type { Annotation, ChunkLine, LineMetadata, ToolCallDelta } from '@qwen/protocol/openai';
import type { BlockEvent } from './answer-draft.js';
import { failureMark } from './failure-mark.js';
import type { AnswerEnd, LineFormatter, TurnEnding } from './line-formatter.js';
import { annotationLine, chunkLine, type LineFinishReason, type LineOrigin, type ModelLine } from './line-parts.js';
import { toArguments, toCompletionUsage, toFinishReason } from './openai-fields.js';
import { errorAnnotations } from './process-lines.js';

const NOTHING: readonly ModelLine[] = [];

interface OpenCall {
  /** Index within the message, from 0. */
  readonly index: number;
  hasArguments: boolean;
}

interface HeldEnd {
  readonly finishReason: LineFinishReason;
  readonly annotations: readonly Annotation[];
  readonly usage: Usage | undefined;
}

/**
 * `stream-chunk-json`. The finishing chunk of an answer without calls is held until the turn continues or ends,
 * because the last one carries the turn summary.
 */
export class ChunkLines implements LineFormatter {
  #calls: Map<number, OpenCall> | undefined;
  #held: HeldEnd | undefined;

  get isInsideAnswer(): boolean {
    return this.#calls !== undefined;
  }

  get isInsideMessage(): boolean {
    return this.#calls !== undefined || this.#held !== undefined;
  }

  startAnswer(origin: LineOrigin): readonly ModelLine[] {
    this.#calls = new Map();
    return [...this.#release(origin), roleChunk(origin)];
  }

  takePiece(event: BlockEvent, origin: LineOrigin): readonly ModelLine[] {
    switch (event.type) {
      case 'block_start': {
        const { block, index } = event;
        if (block.type !== 'tool_use' || this.#calls === undefined) return NOTHING;
        const call = { index: this.#calls.size, hasArguments: false };
        this.#calls.set(index, call);
        const named = { id: block.id, type: 'function', function: { name: block.name, arguments: '' } } as const;
        return [callChunk(origin, { index: call.index, ...named })];
      }
      case 'block_delta':
        if (event.kind === 'text') return [chunkLine(origin, { delta: { content: event.text } })];
        return event.kind === 'input_json' ? this.#addArguments(event.index, event.text, origin) : NOTHING;
      case 'block_end': {
        const { block, index } = event;
        const isWhole = block.type !== 'tool_use' || this.#calls?.get(index)?.hasArguments === true;
        return isWhole ? NOTHING : this.#addArguments(index, toArguments(block), origin);
      }
    }
  }

  endAnswer({ stopReason, usage, annotations }: AnswerEnd, origin: LineOrigin): readonly ModelLine[] {
    const hasCalls = this.#calls !== undefined && this.#calls.size > 0;
    this.#calls = undefined;
    // The truncation notice goes on the finishing chunk, all else before it.
    const [onEnd, before] = partition(annotations, ({ type }) => type === 'x-qwen-session-event');
    this.#held = { finishReason: toFinishReason(stopReason, hasCalls), annotations: onEnd, usage };
    return [...newsOf(before, origin), ...(hasCalls ? this.#release(origin) : NOTHING)];
  }

  emitResult(_outcome: ToolOutcome, annotations: readonly Annotation[], origin: LineOrigin): readonly ModelLine[] {
    return newsOf(annotations, origin);
  }

  endTurn({ summary, annotations, failure }: TurnEnding, origin: LineOrigin): readonly ModelLine[] {
    const news = newsOf(annotations, origin);
    if (failure === undefined) {
      if (this.#held !== undefined) return [...news, ...this.#release(origin, { summary })];
      return [
        roleChunk(origin),
        ...news,
        chunkLine(origin, { delta: {}, finishReason: 'stop', metadata: { summary } }),
      ];
    }
    const { error, words } = failure;
    return [
      ...this.#release(origin),
      ...news,
      failureMark(words, origin),
      roleChunk(origin),
      chunkLine(origin, { delta: { content: words.words, annotations: errorAnnotations(origin, words.words) } }),
      chunkLine(origin, { delta: {}, finishReason: 'stop', metadata: { summary, error } }),
    ];
  }

  #addArguments(blockIndex: number, text: string, origin: LineOrigin): readonly ModelLine[] {
    const call = this.#calls?.get(blockIndex);
    if (call === undefined || text === '') return NOTHING;
    call.hasArguments = true;
    return [callChunk(origin, { index: call.index, function: { arguments: text } })];
  }

  #release(origin: LineOrigin, metadata: LineMetadata = {}): readonly ModelLine[] {
    if (this.#held === undefined) return NOTHING;
    const { finishReason, annotations, usage } = this.#held;
    this.#held = undefined;
    const delta = annotations.length > 0 ? { annotations: [...annotations] } : {};
    const end = chunkLine(origin, { delta, finishReason, metadata });
    return usage === undefined ? [end] : [end, chunkLine(origin, { usage: toCompletionUsage(usage) })];
  }
}

function roleChunk(origin: LineOrigin): ChunkLine {
  return chunkLine(origin, { delta: { role: 'assistant' } });
}

function callChunk(origin: LineOrigin, call: ToolCallDelta): ChunkLine {
  return chunkLine(origin, { delta: { tool_calls: [call] } });
}

function newsOf(annotations: readonly Annotation[], origin: LineOrigin): readonly ModelLine[] {
  return annotations.length === 0 ? NOTHING : [annotationLine(origin, annotations)];
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
