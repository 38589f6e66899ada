import { LINE_END } from '@qwen/host/remarks/remark.js';
import { failureRemark } from '@qwen/host/remarks/remark-on.js';
import { readStyledText } from '@qwen/host/remarks/styled-text.js';
import { type AgentError, type Capabilities, PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@qwen/protocol';
import {
  type Annotation,
  type ChunkLine,
  type FatalErrorLine,
  type LineError,
  toTerminalText,
} from '@qwen/protocol/openai';
import {
  annotationLine,
  chunkLine,
  completionLine,
  type LineOrigin,
  type ModelLine,
  metadataLine,
} from './line-parts.js';
import { toOpenAiError } from './openai-error.js';
import { consoleAnnotation, errorLook, type PrintedText, terminalAnnotation } from './terminal-annotation.js';

// Lines that no event of a session makes: the start, the end, and what is wrong with the input.

/** What the first line tells (K-01, K-02, CF-09). */
export interface ReceiptFacts {
  readonly inputFormat: string;
  readonly outputFormat: string;
  readonly capabilities: Capabilities;
  readonly version: string;
  readonly cwd: string;
  readonly permissionMode: string;
}

/** The first line: what this end is and can do. It has no choices. */
export function receiptLine(origin: LineOrigin, facts: ReceiptFacts): ModelLine {
  const metadata = {
    protocol_version: PROTOCOL_VERSION,
    supported_protocol_versions: [...SUPPORTED_PROTOCOL_VERSIONS],
    input_format: facts.inputFormat,
    output_format: facts.outputFormat,
    capabilities: facts.capabilities,
    qwen_code_version: facts.version,
    cwd: facts.cwd,
    permission_mode: facts.permissionMode,
  };
  return { ...metadataLine(origin, metadata), system_fingerprint: `qwen-ipc/${PROTOCOL_VERSION}` };
}

/** A line of the input that is no use costs that line (GAP-12): its sender is told, and life goes on. */
export function invalidInputLine(origin: LineOrigin, error: AgentError, lineNumber: number): ModelLine {
  const { code, message, data } = error;
  return errorLine(origin, {
    error: {
      code: 'QWEN_INVALID_INPUT',
      message,
      line_number: lineNumber,
      retryable: false,
      data: { ...data, code },
    },
  });
}

/**
 * A request that came to nothing, found by the number of its line; the next one works (K-08). An error that names the
 * parameter which is to blame has the words of OpenAI (K-07).
 */
export function recoverableErrorLine(origin: LineOrigin, error: AgentError, lineNumber?: number): ModelLine {
  const line = lineNumber === undefined ? {} : { line_number: lineNumber };
  const { type, param, code } = toOpenAiError(error);
  const words = param === null ? {} : { type, param, code, data: { ...error.data, code: error.code } };
  return errorLine(origin, { error: { ...toLineError(error), ...words, ...line } });
}

/** Says that a version is not spoken here (K-03, K-04, CF-10). The process ends behind it with exit code 3. */
export function unsupportedProtocolLine(origin: LineOrigin, wanted: unknown): ModelLine {
  const supported = [...SUPPORTED_PROTOCOL_VERSIONS];
  const error = {
    code: 'unsupported_protocol',
    message: `Protocol version ${JSON.stringify(wanted)} is not supported; supported: ${supported.join(', ')}.`,
    retryable: false,
    data: { protocol_version: wanted, supported_protocol_versions: supported },
  };
  return errorLine(origin, { error, finishReason: 'error' });
}

/**
 * What no session survives (K-06); the process ends behind it with a code other than 0. In the chunk format a chunk
 * with the words comes first, which shows them on a screen (C-16).
 */
export function fatalLines(
  origin: LineOrigin,
  fatal: FatalErrorLine['error'],
): readonly (ModelLine | FatalErrorLine)[] {
  const line = { error: { param: null, code: null, ...fatal } };
  return origin.format === 'message'
    ? [line]
    : [chunkLine(origin, { delta: errorDelta(origin, toTerminalText(fatal.message)) }), line];
}

/** What a library printed, as an annotation in place of raw text (L-07, D-18). */
export function consoleLine(origin: LineOrigin, printed: Omit<PrintedText, 'ansi'>): ModelLine {
  const { text, ansi } = readStyledText(printed.text);
  return annotationLine(origin, [consoleAnnotation({ ...printed, text, ansi }, origin)]);
}

/** Turns bracketed paste off, which is what a terminal may have been left in (D-44). */
const RESTORE_TERMINAL = '\u001b[?2004l';

/** The very last lines: how the process ends, and what gives a terminal its modes back (D-16, D-44). */
export function exitLines(origin: LineOrigin, exitCode: number): readonly ModelLine[] {
  const ending = { ...terminalAnnotation({ ...LINE_END, to: 'stderr', source: 'system', text: '' }, origin) };
  return [
    annotationLine(origin, [
      { type: 'x-qwen-ansi', value: RESTORE_TERMINAL },
      { ...ending, exit_code: exitCode },
    ]),
  ];
}

/** An error as it stands in `metadata.error`. */
export function toLineError({ code, message, retryable, data }: AgentError): LineError {
  return { code, message, retryable, ...(Object.keys(data).length > 0 && { data: { ...data } }) };
}

/** An error in the place of an answer. */
export interface ErrorParts {
  readonly error: LineError;
  /** For people. Default: the message of the error. */
  readonly words?: string;
  /** Default `stop`: life goes on (K-08). */
  readonly finishReason?: 'stop' | 'error';
}

/**
 * An error that takes the place of an answer: its words as `content`, in red on stderr for a screen. In the middle of a
 * streamed message they are annotations only, which leaves that message whole.
 */
export function errorLine(origin: LineOrigin, { error, words, finishReason = 'stop' }: ErrorParts): ModelLine {
  const content = toTerminalText(words ?? error.message);
  if (origin.format === 'chunk') {
    const end = origin.isInsideMessage === true ? {} : { finishReason };
    return chunkLine(origin, { delta: errorDelta(origin, content), ...end, metadata: { error } });
  }
  const message = {
    role: 'assistant',
    content,
    refusal: null,
    annotations: errorAnnotations(origin, content),
  } as const;
  return completionLine(origin, { choice: { message, finish_reason: finishReason }, metadata: { error } });
}

function errorDelta(origin: LineOrigin, content: string): ChunkLine['choices'][number]['delta'] {
  if (origin.isInsideMessage !== true) {
    return { role: 'assistant', content, annotations: errorAnnotations(origin, content) };
  }
  return { annotations: [terminalAnnotation(failureRemark([content, '\n']), origin)] };
}

/** How the words look, and the end of their line. */
export function errorAnnotations(origin: LineOrigin, content: string): Annotation[] {
  return [errorLook(content, origin), terminalAnnotation({ ...LINE_END, to: 'stderr', source: 'system' }, origin)];
}
