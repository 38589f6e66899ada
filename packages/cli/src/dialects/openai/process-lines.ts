import { failureNotice } from '@qwen/host/styled-output/output-for.js';
import { LINE_END } from '@qwen/host/styled-output/styled-output.js';
import { readStyledText } from '@qwen/host/styled-output/styled-text.js';
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

// Lines outside of session events: start, end and input errors.

/** The content of the first line. */
export interface ReceiptInfo {
  readonly inputFormat: string;
  readonly outputFormat: string;
  readonly capabilities: Capabilities;
  readonly version: string;
  readonly cwd: string;
  readonly permissionMode: string;
}

export function receiptLine(origin: LineOrigin, facts: ReceiptInfo): ModelLine {
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

/** An invalid line costs that line only. */
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

/** Identifies the request by its line number. Errors that name a parameter use OpenAI's error type. */
export function recoverableErrorLine(origin: LineOrigin, error: AgentError, lineNumber?: number): ModelLine {
  const line = lineNumber === undefined ? {} : { line_number: lineNumber };
  const { type, param, code } = toOpenAiError(error);
  const words = param === null ? {} : { type, param, code, data: { ...error.data, code: error.code } };
  return errorLine(origin, { error: { ...toLineError(error), ...words, ...line } });
}

/** The process exits with code 3 after this line. */
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
 * The process exits with a non-zero code after this. In chunk format a chunk with the text comes first, for the
 * screen.
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

export function consoleLine(origin: LineOrigin, printed: Omit<PrintedText, 'ansi'>): ModelLine {
  const { text, ansi } = readStyledText(printed.text);
  return annotationLine(origin, [consoleAnnotation({ ...printed, text, ansi }, origin)]);
}

/** Disables bracketed paste, which may still be on. */
const RESTORE_TERMINAL = '\u001b[?2004l';

/** The last lines: exit code and terminal restore sequence. */
export function exitLines(origin: LineOrigin, exitCode: number): readonly ModelLine[] {
  const ending = { ...terminalAnnotation({ ...LINE_END, to: 'stderr', source: 'system', text: '' }, origin) };
  return [
    annotationLine(origin, [
      { type: 'x-qwen-ansi', value: RESTORE_TERMINAL },
      { ...ending, exit_code: exitCode },
    ]),
  ];
}

export function toLineError({ code, message, retryable, data }: AgentError): LineError {
  return { code, message, retryable, ...(Object.keys(data).length > 0 && { data: { ...data } }) };
}

export interface ErrorParts {
  readonly error: LineError;
  /** Default: the message of the error. */
  readonly words?: string;
  /** Default `stop`. */
  readonly finishReason?: 'stop' | 'error';
}

/**
 * An error in place of an answer, red on stderr. Inside a streamed message it is annotations only, so that the
 * message stays intact.
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
  return { annotations: [terminalAnnotation(failureNotice([content, '\n']), origin)] };
}

export function errorAnnotations(origin: LineOrigin, content: string): Annotation[] {
  return [errorLook(content, origin), terminalAnnotation({ ...LINE_END, to: 'stderr', source: 'system' }, origin)];
}
