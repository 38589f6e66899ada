import type { ChunkLine, OutputLine } from '@qwen/protocol/openai';
import { ChunkMessage } from './chunk-message.js';
import type { EventScope, QwenEvent, QwenEventBody } from './events.js';
import { annotationEvents, at, completionEvents, contentEvents, metadataEvents, receiptEvents } from './line-events.js';
import { toFatalFailure } from './line-failure.js';
import { scopeKey, scopeOf } from './line-scope.js';
import { toDate } from './to-date.js';

/**
 * Turns lines of the openai dialect, in either format, into events. It is stateful: create one per process.
 *
 * @example
 * import { createInterface } from 'node:readline';
 * import { EventReader, readOutputLine } from '@qwen/sdk/terminal';
 *
 * const reader = new EventReader();
 * for await (const line of createInterface({ input: process.stdin })) {
 *   for (const event of reader.read(readOutputLine(line))) {
 *     if (event.kind === 'text') process.stdout.write(event.text);
 *   }
 * }
 */
export class EventReader {
  readonly #arriving = new Map<string, ChunkMessage>();

  /** The events of one line, read with `readOutputLine`. Never throws. */
  read(output: OutputLine): QwenEvent[] {
    switch (output.kind) {
      case 'completion':
        return at(scopeOf(output.line), completionEvents(output.line));
      case 'chunk':
        return at(scopeOf(output.line), this.#chunkEvents(output.line));
      case 'fatal':
        return [{ kind: 'fatal', error: toFatalFailure(output.line) }];
      case 'control':
        return questionEvents(output.frame);
      case 'message':
        return [{ kind: 'unknown', value: output.message }];
      case 'unknown':
        return [{ kind: 'unknown', value: output.value }];
      case 'invalid':
        return [{ kind: 'invalid', error: output.error }];
      default:
        return resultEvents(output);
    }
  }

  #chunkEvents(line: ChunkLine): QwenEventBody[] {
    const events = receiptEvents(line);
    // The qwen CLI writes only one choice; others are ignored.
    const choice = line.choices.find(({ index = 0 }) => index === 0);
    if (choice !== undefined) events.push(...this.#choiceEvents(scopeKey(scopeOf(line)), choice));
    return [...events, ...metadataEvents(line)];
  }

  #choiceEvents(key: string, { delta, finish_reason: finishReason }: ChunkLine['choices'][number]): QwenEventBody[] {
    const { annotations, ...content } = delta;
    const message = this.#arriving.get(key) ?? new ChunkMessage();
    message.add(content);
    const events = contentEvents(delta.content ?? '', annotations);
    if (message.isEmpty) return events;
    this.#arriving.set(key, message);
    if (finishReason == null) return events;
    this.#arriving.delete(key);
    const { text, toolCalls } = message;
    return [...events, { kind: 'message', role: 'assistant', text, toolCalls, toolCallId: undefined, finishReason }];
  }
}

type ResultLine = Extract<OutputLine, { readonly kind: 'command' | 'hint' | 'heartbeat' | 'cancel' | 'session_event' }>;

function resultEvents(output: ResultLine): QwenEvent[] {
  return at(scopeOfResult(output.line), resultBodies(output));
}

function resultBodies(output: ResultLine): QwenEventBody[] {
  switch (output.kind) {
    case 'command': {
      const { command, result } = output.line;
      return [{ kind: 'command', command: command ?? undefined, result }];
    }
    case 'hint':
      return [{ kind: 'hint', hint: output.line }];
    case 'heartbeat':
      return [{ kind: 'heartbeat', status: output.line.status, at: toDate(output.line.ts) }];
    case 'cancel':
      return [{ kind: 'cancel', status: output.line.status, message: output.line.message }];
    case 'session_event':
      return annotationEvents(output.line);
  }
}

function scopeOfResult({ session_id: sessionId, prompt_id: promptId }: ResultLine['line']): EventScope {
  return { ...(sessionId !== undefined && { sessionId }), ...(promptId != null && { promptId }) };
}

/** Answers and withdrawals are not events. */
function questionEvents(frame: Extract<OutputLine, { readonly kind: 'control' }>['frame']): QwenEvent[] {
  if (frame.kind !== 'request') return [];
  const { requestId, subtype, payload, sessionId, promptId } = frame;
  const scope = { ...(sessionId !== undefined && { sessionId }), ...(promptId !== undefined && { promptId }) };
  return at(scope, [{ kind: 'control_request', requestId, subtype, payload }]);
}
