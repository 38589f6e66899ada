import type { AgentEvent, ToolOutcome } from '@qwen/agent';
import { describeEnding } from '@qwen/host/styled-output/output-for.js';
import type { CardOptions } from '../cards/card-options.js';
import { toolCard } from '../cards/result-lines.js';
import { toShownDenial } from '../dialogs/questions/permission-choices.js';
import type { StyledLine } from '../lines/styled-line.js';
import { MarkdownStream, markdownLines } from '../markdown/markdown-stream.js';
import { toDuration, toMoney, toTokens } from './figures.js';
import { failureOf, noteLines, noteOf, plainLines, quietLine } from './note-lines.js';
import { type Remembered, rememberedLines } from './remembered.js';

export interface TranscriptOptions {
  readonly columns: () => number;
  readonly isScreenReader: boolean;
  /** Absolute; paths below it are shown relative to it. */
  readonly folder: string;
  readonly fullKey?: string;
}

const SHOWN_LINES = 10;

/**
 * The conversation as finished lines, printed once. Keeps only the unfinished end (`draft`) and the last folded
 * output.
 */
export class Transcript {
  readonly #options: TranscriptOptions;
  #answer: MarkdownStream | undefined;
  #thought = '';
  #thoughtAt = 0;
  #remembered: Remembered | undefined;
  readonly #inputs = new Map<string, unknown>();
  /** Whether this turn has printed anything; if not, the text of a command, which is not streamed, is printed. */
  #hasShown = false;

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  /** Unfinished Markdown at the end of the streamed message. */
  get draft(): string {
    return this.#answer?.draft ?? '';
  }

  /** `nowMs` is the screen's clock. */
  take(event: AgentEvent, nowMs: number): readonly StyledLine[] {
    // A subagent's messages are for its agent; its card shows what it did.
    if ('parentToolUseId' in event && event.parentToolUseId !== null && event.type !== 'notice') return [];
    switch (event.type) {
      case 'turn_start':
        this.#hasShown = false;
        this.#answer = undefined;
        this.#inputs.clear();
        return [];
      case 'tool_pending':
      case 'tool_start':
        this.#inputs.set(event.callId, event.input);
        return [];
      case 'block_start':
        return this.#beginBlock(event.block.type, nowMs);
      case 'block_delta':
        return this.#addToBlock(event);
      case 'block_end':
        return this.#endBlock(event.block.type, nowMs);
      case 'message_end':
        return this.#endAnswer();
      case 'tool_end':
        return this.#endCall(event);
      case 'turn_end':
        return [...this.#endAnswer(), ...this.#endTurn(event)];
      default:
        return noteLines(event, this.#columns);
    }
  }

  unfold(): readonly StyledLine[] {
    return rememberedLines(this.#remembered, this.#cardOptions);
  }

  /** With an empty line after it. */
  markdown(text: string): readonly StyledLine[] {
    const lines = markdownLines(text, { columns: this.#columns, isScreenReader: this.#options.isScreenReader });
    return lines.length === 0 ? [] : [...lines, []];
  }

  /** Keeps the full output for `unfold`. */
  card({ input, outcome }: { readonly input: unknown; readonly outcome: ToolOutcome }): readonly StyledLine[] {
    this.#remembered = { kind: 'result', input, outcome };
    return [...toolCard({ input, outcome }, { ...this.#cardOptions, maxLines: SHOWN_LINES }), []];
  }

  /** `seconds`: the duration, if known. */
  thought(text: string, seconds?: number): readonly StyledLine[] {
    this.#remembered = { kind: 'thought', text };
    const { fullKey = 'Ctrl-O' } = this.#options;
    const duration = seconds === undefined ? '' : ` for ${seconds} s`;
    return [quietLine(`Thought${duration}${fullKey === '' ? '' : ` · ${fullKey} to show`}`), []];
  }

  /** Ends the conversation and returns the pending text as lines. */
  abort(): readonly StyledLine[] {
    this.#inputs.clear();
    return this.#endAnswer();
  }

  get #cardOptions(): CardOptions {
    const { columns: _asOf, ...options } = this.#options;
    return { ...options, columns: this.#columns };
  }

  get #columns(): number {
    return this.#options.columns();
  }

  #beginBlock(type: string, nowMs: number): readonly StyledLine[] {
    const before = this.#endAnswer();
    if (type === 'text') {
      this.#answer = new MarkdownStream({ columns: this.#columns, isScreenReader: this.#options.isScreenReader });
    }
    if (type === 'thinking') {
      this.#thought = '';
      this.#thoughtAt = nowMs;
    }
    return before;
  }

  #addToBlock({ kind, text }: Extract<AgentEvent, { type: 'block_delta' }>): readonly StyledLine[] {
    if (kind === 'thinking') this.#thought += text;
    if (kind !== 'text' || this.#answer === undefined) return [];
    this.#hasShown = true;
    this.#answer.columns = this.#columns;
    return this.#answer.push(text);
  }

  #endBlock(type: string, nowMs: number): readonly StyledLine[] {
    if (type === 'text') return this.#endAnswer();
    if (type !== 'thinking' || this.#thought.trim() === '') return [];
    return this.thought(this.#thought, Math.max(1, Math.round((nowMs - this.#thoughtAt) / 1000)));
  }

  #endAnswer(): readonly StyledLine[] {
    if (this.#answer === undefined) return [];
    const lines = this.#answer.end();
    this.#answer = undefined;
    return [...lines, []];
  }

  #endCall({ outcome }: Extract<AgentEvent, { type: 'tool_end' }>): readonly StyledLine[] {
    this.#hasShown = true;
    const call = { input: this.#inputs.get(outcome.callId), outcome };
    this.#inputs.delete(outcome.callId);
    return [...this.#endAnswer(), ...this.card(call)];
  }

  #endTurn(event: Extract<AgentEvent, { type: 'turn_end' }>): readonly StyledLine[] {
    const { outcome } = event;
    if (outcome.type === 'success') {
      const isPending = !this.#hasShown || outcome.structured !== undefined;
      // A command prints plain text: paths and code keep their marks.
      if (event.modelCalls === 0) return isPending ? plainLines(outcome.text, this.#columns) : [];
      return [...(isPending ? this.markdown(outcome.text) : []), summaryLine(event), []];
    }
    return [...endingLines(event, this.#columns), []];
  }
}

type TurnEnd = Extract<AgentEvent, { type: 'turn_end' }>;

function summaryLine({ durationMs, usage }: TurnEnd): StyledLine {
  const { input_tokens: read, output_tokens: said, cache_read_input_tokens: cached = 0, cost_usd: cost } = usage;
  const input = cached === 0 ? `${toTokens(read)} in` : `${toTokens(read)} in (${toTokens(cached)} cached)`;
  const facts = [toDuration(durationMs), input, `${toTokens(said)} out`];
  return quietLine([...facts, ...(cost === undefined ? [] : [toMoney(cost)])].join(' · '));
}

function endingLines(event: TurnEnd, columns: number): readonly StyledLine[] {
  const ending = describeEnding(event);
  if (ending === undefined) return [];
  const words = toShownDenial(ending.words);
  return event.outcome.type === 'error' ? failureOf(words, columns) : noteOf(words, columns);
}
