import type { Writable } from 'node:stream';
import type { AgentEvent } from '@qwen/agent';
import type { TextLooks } from '@qwen/host/config/terminal-look.js';
import type { LiveSession } from '@qwen/host/sessions/live-session.js';
import type { Dialect } from '@qwen/host/styled-output/dialect.js';
import { type AgentError, escapeHidden } from '@qwen/protocol';
import { readOutputLine } from '@qwen/protocol/openai';
import type { LineClock } from '../../dialects/openai/line-clock.js';
import type { LineOrigin } from '../../dialects/openai/line-parts.js';
import { createText, type TextPiece } from '../../dialects/text.js';
import type { LineWriter } from '../../io/line-writer.js';
import { writePiece } from '../../io/text-output.js';
import type { EventWriter } from './event-writer.js';

export interface TextEventWriterOptions {
  readonly writer: LineWriter;
  readonly stderr: Writable;
  readonly clock: LineClock;
  readonly looks: TextLooks;
}

/** Answers on stdout, everything else on stderr. */
export class TextEventWriter implements EventWriter {
  /** Text output cannot carry questions. */
  readonly asksHost = false;
  readonly #options: TextEventWriterOptions;
  readonly #texts = new Map<string, Dialect<TextPiece>>();

  constructor(options: TextEventWriterOptions) {
    this.#options = options;
  }

  async writeEvent(event: AgentEvent, { sessionId }: LiveSession): Promise<void> {
    const toPieces = this.#texts.get(sessionId) ?? createText(this.#options.looks);
    this.#texts.set(sessionId, toPieces);
    for (const piece of toPieces(event)) await writePiece(piece, this.#options);
  }

  originOf(session: LiveSession): LineOrigin {
    const { clock } = this.#options;
    return { format: 'message', clock, sessionId: session.sessionId, model: session.host.model };
  }

  writeLine(line: object): void {
    const read = readOutputLine(JSON.stringify(line));
    if (read.kind === 'completion') {
      const { error } = read.line.metadata ?? {};
      if (error) this.#options.stderr.write(`qwen: ${escapeHidden(error.message, { keepLines: true })}\n`);
    } else if (read.kind === 'command' && 'content' in read.line.result) {
      void this.#options.writer.write(`${escapeHidden(String(read.line.result.content), { keepLines: true })}\n`);
    }
  }

  fail({ message }: AgentError): void {
    this.#options.stderr.write(`qwen: ${escapeHidden(message, { keepLines: true })}\n`);
  }

  forget({ sessionId }: LiveSession): void {
    this.#texts.delete(sessionId);
  }

  /** The turn reports it. */
  noteControlError(): void {}
}
