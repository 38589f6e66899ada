import { toAnsi } from '@qwen/host/styled-output/ansi.js';
import type { StyledOutput } from '@qwen/host/styled-output/styled-output.js';
import {
  type AnsiItem,
  type LogScope,
  type TerminalAnnotation,
  type TerminalSource,
  toTerminalText,
} from '@qwen/protocol/openai';
import { type LineOrigin, promptIdOf } from './line-parts.js';

const SCOPES: Readonly<Record<TerminalSource, LogScope | undefined>> = {
  assistant: undefined,
  tool: 'tool',
  console: 'debug',
  system: 'system',
};

export function terminalAnnotation(said: StyledOutput, origin: LineOrigin): TerminalAnnotation {
  const { to, source, text, spans } = said;
  const scope = SCOPES[source];
  return {
    type: 'x-qwen-terminal',
    channel: to,
    source,
    text: toTerminalText(text),
    ...(spans.length > 0 && { spans: [...spans] }),
    ansi: toAnsi(spans),
    ...promptIdOf(origin),
    ...(scope !== undefined && { log_scope: scope }),
  };
}

export function errorLook(content: string, origin: LineOrigin): TerminalAnnotation {
  const spans = [{ start_index: 0, end_index: content.length, style: { theme_token: 'AccentRed' } }];
  const { text: _content, ...look } = terminalAnnotation(
    { to: 'stderr', source: 'system', text: content, spans },
    origin,
  );
  return look;
}

/** Printed text with and without its color sequences. */
export interface PrintedText {
  readonly channel: 'stdout' | 'stderr';
  readonly text: string;
  readonly ansi: readonly AnsiItem[];
  readonly level?: 'log' | 'info' | 'warn' | 'error' | 'debug';
}

export function consoleAnnotation({ channel, text, ansi, level }: PrintedText, origin: LineOrigin): TerminalAnnotation {
  return {
    type: 'x-qwen-terminal',
    channel,
    source: 'console',
    text,
    ansi: [...ansi],
    ...(level !== undefined && { console_level: level }),
    ...promptIdOf(origin),
    log_scope: level === 'debug' ? 'debug' : 'system',
  };
}
