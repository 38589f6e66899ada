import type { AgentEvent } from '@qwen/agent';
import { PROMPT, SESSION } from '@qwen/host/test/agent-events.js';
import { encodeLine } from '@qwen/protocol';
import { createIpcSchemas } from '@qwen/protocol/json-schema';
import { type ChunkLine, type CompletionLine, readOutputLine, type SessionEvent } from '@qwen/protocol/openai';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createLineClock } from '../src/dialects/openai/line-clock.js';
import type { LineFormat } from '../src/dialects/openai/line-parts.js';
import { createOpenAiLines, type OpenAiLines } from '../src/dialects/openai/openai-lines.js';

// The lines that lists of events become.

const ajv = new Ajv2020({ strict: false });
const documents = new Map([...createIpcSchemas()].map(([name, schema]) => [name, ajv.compile(schema)]));
const DOCUMENTS = { completion: 'chat-completion', chunk: 'chat-completion-chunk', session_event: 'session-event' };

export interface Telling {
  readonly format?: LineFormat;
  /** Milliseconds since 1970, read for each line. */
  readonly now?: () => number;
}

export function openLines({ format = 'message', now = () => 1_739_430_000_000 }: Telling = {}): OpenAiLines {
  return createOpenAiLines({
    sessionId: SESSION,
    format,
    clock: createLineClock(now),
    cwd: '/work',
    model: () => 'model-before',
    promptIdOf: () => PROMPT,
  });
}

/** A line that an event becomes. */
export type Line = CompletionLine | ChunkLine | SessionEvent;

/** The lines of the events, each of them read back and found to fit its schemas. */
export function tell(events: readonly AgentEvent[], telling: Telling = {}): readonly Line[] {
  const { toLines } = openLines(telling);
  return events.flatMap((event) => toLines(event)).map(readBack);
}

/** The same line, from its text. Throws where our reader or its JSON Schema refuse it. */
export function readBack(line: object): Line {
  const written = encodeLine(line);
  const read = readOutputLine(written.trimEnd());
  if (read.kind !== 'completion' && read.kind !== 'chunk' && read.kind !== 'session_event') {
    throw new Error(`${read.kind}: ${written}`);
  }
  const validate = documents.get(DOCUMENTS[read.kind]);
  if (validate?.(JSON.parse(written)) !== true) throw new Error(`${JSON.stringify(validate?.errors)}: ${written}`);
  return read.line;
}

export function completions(lines: readonly Line[]): readonly CompletionLine[] {
  return lines.filter((line): line is CompletionLine => 'object' in line && line.object === 'chat.completion');
}

export function chunks(lines: readonly Line[]): readonly ChunkLine[] {
  return lines.filter((line): line is ChunkLine => 'object' in line && line.object === 'chat.completion.chunk');
}

type Message = CompletionLine['choices'][number]['message'] | ChunkLine['choices'][number]['delta'];

/** The messages of a line, or the pieces of them. */
export function messagesOf(line: Line): readonly Message[] {
  if (!('object' in line)) return [];
  return line.object === 'chat.completion'
    ? line.choices.map(({ message }) => message)
    : line.choices.map(({ delta }) => delta);
}

/** All annotations, in the order of the lines. */
export function annotationsOf(lines: readonly Line[]): readonly Readonly<Record<string, unknown>>[] {
  return lines.flatMap(messagesOf).flatMap(({ annotations }) => annotations ?? []);
}
