import type { AgentEvent } from '@qwen/agent';
import type { LiveSession } from '@qwen/host/sessions/live-session.js';
import { type AgentError, encodeLine } from '@qwen/protocol';
import type { ControlFailure } from '../../control/controllers/controller.js';
import type { LineClock } from '../../dialects/openai/line-clock.js';
import type { LineFormat, LineOrigin } from '../../dialects/openai/line-parts.js';
import { toOpenAiError } from '../../dialects/openai/openai-error.js';
import { createOpenAiLines, type OpenAiLines } from '../../dialects/openai/openai-lines.js';
import { fatalLines } from '../../dialects/openai/process-lines.js';
import type { LineWriter } from '../../io/line-writer.js';
import type { EventWriter } from './event-writer.js';

export interface LineEventWriterOptions {
  readonly writer: LineWriter;
  readonly format: LineFormat;
  readonly clock: LineClock;
  readonly cwd: string;
  /** Returns false to drop a line. Default: all pass. */
  readonly passes?: (line: object) => boolean;
}

export class LineEventWriter implements EventWriter {
  readonly asksHost = true;
  readonly #options: LineEventWriterOptions;
  readonly #lines = new Map<string, OpenAiLines>();

  constructor(options: LineEventWriterOptions) {
    this.#options = options;
  }

  async writeEvent(event: AgentEvent, session: LiveSession): Promise<void> {
    const { writer } = this.#options;
    for (const line of this.#of(session).toLines(event)) {
      if (this.#passes(line)) await writer.write(encodeLine(line));
    }
  }

  originOf(session: LiveSession): LineOrigin {
    return this.#of(session).origin;
  }

  writeLine(line: object): void {
    if (this.#passes(line)) this.#options.writer.writeControl(encodeLine(line));
  }

  fail(error: AgentError, session: LiveSession): void {
    const lines = fatalLines(this.originOf(session), toOpenAiError(error));
    this.#options.writer.conclude(lines.map(encodeLine).join(''));
  }

  forget({ sessionId }: LiveSession): void {
    this.#lines.delete(sessionId);
  }

  noteControlError(session: LiveSession, { subtype, error }: ControlFailure): void {
    const { message, retryable } = error;
    const { askedAs } = error.data;
    const request_id = typeof askedAs === 'string' ? askedAs : null;
    this.#of(session).noteControlError({ request_id, subtype, message, retryable });
  }

  #passes(line: object): boolean {
    return this.#options.passes?.(line) ?? true;
  }

  #of(session: LiveSession): OpenAiLines {
    const { sessionId } = session;
    const known = this.#lines.get(sessionId);
    if (known !== undefined) return known;
    const { format, clock, cwd } = this.#options;
    const lines = createOpenAiLines({
      sessionId,
      format,
      clock,
      cwd,
      model: () => session.host.model,
      promptIdOf: (turnId) => session.prompts.of(turnId),
    });
    this.#lines.set(sessionId, lines);
    return lines;
  }
}
