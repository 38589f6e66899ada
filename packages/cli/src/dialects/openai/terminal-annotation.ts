import { toAnsi } from '@qwen/host/remarks/ansi.js';
import type { Remark } from '@qwen/host/remarks/remark.js';
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

/** A remark with its text (D-05 … D-17, L-08). */
export function terminalAnnotation(said: Remark, origin: LineOrigin): TerminalAnnotation {
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

/** How the `content` beside it looks, when it is no answer but an error of ours (C-16). */
export function errorLook(content: string, origin: LineOrigin): TerminalAnnotation {
  const spans = [{ start_index: 0, end_index: content.length, style: { theme_token: 'AccentRed' } }];
  const { text: _content, ...look } = terminalAnnotation(
    { to: 'stderr', source: 'system', text: content, spans },
    origin,
  );
  return look;
}

/** What something printed by itself: text without the sequences, and those that only colour it (D-07, D-18, L-07). */
export interface PrintedText {
  readonly channel: 'stdout' | 'stderr';
  readonly text: string;
  readonly ansi: readonly AnsiItem[];
  /** Missing for what was written without the console. */
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
