import type { AgentEvent } from '@qwen/agent';
import type { Dialect } from '@qwen/host/styled-output/dialect.js';
import { describeEnding } from '@qwen/host/styled-output/output-for.js';
import { createScreen, type ScreenPiece } from '@qwen/host/styled-output/screen.js';
import { NO_USAGE, type Usage } from '@qwen/protocol';
import type { Annotation, LineControlError, SessionEvent } from '@qwen/protocol/openai';
import type { BlockEvent } from './answer-draft.js';
import { ChunkLines } from './chunk-lines.js';
import type { LineClock } from './line-clock.js';
import type { LineFormatter } from './line-formatter.js';
import { annotationLine, type LineFormat, type LineOrigin, type ModelLine, metadataLine } from './line-parts.js';
import { MessageLines } from './message-lines.js';
import { type SessionNews, sessionEventLine } from './result-lines.js';
import { FINISHED, sessionNewsOf, TRUNCATED } from './session-news.js';
import { terminalAnnotation } from './terminal-annotation.js';
import { toThought } from './thought.js';
import { ToolDisplays } from './tool-displays.js';
import { errorOfTurn, TurnTally } from './turn-summary.js';

export interface OpenAiLinesOptions {
  readonly sessionId: string;
  readonly format: LineFormat;
  /** Shared by all sessions of an output. */
  readonly clock: LineClock;
  readonly cwd: string;
  /** Read for lines before the first answer. */
  readonly model: () => string;
  /** Read when the turn starts. */
  readonly promptIdOf: (turnId: string) => string | undefined;
  readonly earlierUsage?: Usage;
}

export type EventLine = ModelLine | SessionEvent;

export interface OpenAiLines {
  readonly toLines: Dialect<EventLine>;
  /** For lines that no event produces. */
  readonly origin: LineOrigin;
  /** Reports a failed permission or hook request with the next line. */
  noteControlError(error: LineControlError): void;
}

type TurnEnd = Extract<AgentEvent, { type: 'turn_end' }>;

const NOTHING: readonly EventLine[] = [];

export function createOpenAiLines(options: OpenAiLinesOptions): OpenAiLines {
  return new SessionLines(options);
}

class SessionLines implements OpenAiLines {
  readonly toLines = (event: AgentEvent): readonly EventLine[] => this.#withControlErrors(this.#read(event));
  readonly #options: OpenAiLinesOptions;
  readonly #formatter: LineFormatter;
  readonly #toPieces = createScreen();
  readonly #displays: ToolDisplays;
  readonly #tally: TurnTally;
  #controlErrors: LineControlError[] = [];
  #promptId: string | undefined;
  #model: string | undefined;

  constructor(options: OpenAiLinesOptions) {
    this.#options = options;
    this.#formatter = options.format === 'chunk' ? new ChunkLines() : new MessageLines();
    this.#displays = new ToolDisplays(options.cwd);
    this.#tally = new TurnTally(options.earlierUsage ?? NO_USAGE);
  }

  get origin(): LineOrigin {
    const { format, clock, sessionId, model } = this.#options;
    return {
      format,
      clock,
      sessionId,
      model: this.#model ?? model(),
      isInsideMessage: this.#formatter.isInsideMessage,
      ...(this.#promptId !== undefined && { promptId: this.#promptId }),
    };
  }

  noteControlError(error: LineControlError): void {
    this.#controlErrors.push(error);
  }

  #read(event: AgentEvent): readonly EventLine[] {
    const pieces = this.#toPieces(event);
    switch (event.type) {
      case 'turn_start':
        this.#promptId = this.#options.promptIdOf(event.turnId);
        return NOTHING;
      case 'message_start':
        if (event.parentToolUseId !== null) return NOTHING;
        this.#model = event.model;
        return this.#formatter.startAnswer(this.origin);
      case 'block_start':
      case 'block_delta':
      case 'block_end':
        return this.#readBlock(event);
      case 'message_end': {
        if (event.parentToolUseId !== null) return NOTHING;
        this.#model = event.model;
        const { stopReason, usage } = event;
        const cut = stopReason === 'max_tokens' ? [this.#onLine(TRUNCATED)] : [];
        const annotations = [...this.#toNotices(pieces), ...cut];
        return this.#formatter.endAnswer({ stopReason, usage, annotations }, this.origin);
      }
      case 'tool_end': {
        const annotations = [...this.#displays.take(event, this.origin), ...this.#toNotices(pieces)];
        if (event.parentToolUseId !== null) return this.#annotate(annotations, event.parentToolUseId);
        this.#tally.countToolCall();
        return this.#formatter.emitResult(event.outcome, annotations, this.origin);
      }
      case 'turn_end':
        return this.#endTurn(event, pieces);
      case 'permission_mode_changed':
        return [metadataLine(this.origin, { permission_mode: event.mode })];
      case 'notice':
        this.#noteFailedHook(event);
        return this.#readNews(event, pieces);
      default:
        return this.#readNews(event, pieces);
    }
  }

  #readBlock(event: BlockEvent): readonly EventLine[] {
    const { parentToolUseId } = event;
    const lines = parentToolUseId === null ? this.#formatter.takePiece(event, this.origin) : NOTHING;
    if (event.type !== 'block_end' || event.block.type !== 'thinking') return lines;
    const thought = toThought(event.block.thinking);
    return thought === undefined ? lines : [...lines, ...this.#annotate([thought], parentToolUseId)];
  }

  #readNews(event: AgentEvent, pieces: readonly ScreenPiece[]): readonly EventLine[] {
    const parent = 'parentToolUseId' in event ? event.parentToolUseId : null;
    const annotations = [...this.#displays.take(event, this.origin), ...this.#toNotices(pieces)];
    return [...this.#newsLines(sessionNewsOf(event)), ...this.#annotate(annotations, parent)];
  }

  #endTurn(event: TurnEnd, pieces: readonly ScreenPiece[]): readonly EventLine[] {
    const formatter = this.#formatter;
    const outputs = this.#toNotices(pieces);
    // An answer that could not be stored is still sent: its text is already on screen.
    const broken = formatter.isInsideAnswer
      ? formatter.endAnswer({ stopReason: 'error', annotations: outputs }, this.origin)
      : this.#annotate(outputs, null);
    const news = this.#newsLines(sessionNewsOf(event));
    const error = errorOfTurn(event);
    const words = describeEnding(event);
    const ending = formatter.endTurn(
      {
        summary: this.#tally.summarize(event),
        annotations: event.outcome.type === 'success' ? [this.#onLine(FINISHED)] : [],
        ...(error !== undefined && words !== undefined && { failure: { error, words } }),
      },
      this.origin,
    );
    this.#displays.clear();
    const lines = [...broken, ...news, ...ending];
    this.#promptId = undefined;
    return lines;
  }

  #noteFailedHook({ code, message, data }: Extract<AgentEvent, { type: 'notice' }>): void {
    if (code !== 'hook_error') return;
    const id = data?.['request_id'];
    this.noteControlError({
      request_id: typeof id === 'string' ? id : null,
      subtype: 'hook_callback',
      message,
      retryable: data?.['retryable'] === true,
    });
  }

  #annotate(annotations: readonly Annotation[], parentToolUseId: string | null): readonly EventLine[] {
    if (annotations.length === 0) return NOTHING;
    const parent = parentToolUseId === null ? {} : { parent_tool_call_id: parentToolUseId };
    return [annotationLine(this.origin, annotations, parent)];
  }

  #toNotices(pieces: readonly ScreenPiece[]): readonly Annotation[] {
    return pieces.flatMap((piece) =>
      piece.type === 'styledOutput' ? [terminalAnnotation(piece.styledOutput, this.origin)] : [],
    );
  }

  #newsLines(news: SessionNews | undefined): readonly EventLine[] {
    return news === undefined ? NOTHING : [sessionEventLine(this.origin, news)];
  }

  #onLine({ event, message }: SessionNews): Annotation {
    return { type: 'x-qwen-session-event', event, message };
  }

  #withControlErrors(lines: readonly EventLine[]): readonly EventLine[] {
    if (this.#controlErrors.length === 0) return lines;
    const place = lines.findIndex((line) => 'object' in line);
    const line = lines[place];
    if (line === undefined || !('object' in line)) return lines;
    const withErrors = { ...line, metadata: { ...line.metadata, control_errors: this.#controlErrors } };
    this.#controlErrors = [];
    return lines.with(place, withErrors);
  }
}
