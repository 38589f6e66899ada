import type { Span, TerminalSource, ThemeToken } from '@qwen/protocol/openai';

export interface StyledOutput {
  readonly to: 'stdout' | 'stderr';
  readonly source: TerminalSource;
  /** Includes line ends. Only an answer that is data may contain control characters; it has no spans. */
  readonly text: string;
  /** Styles, in order, without overlaps. */
  readonly spans: readonly Span[];
}

export interface Style {
  readonly token?: ThemeToken;
  readonly isBold?: true;
}

export type TextRun = string | readonly [text: string, style: Style];

export function styledOutput(place: Pick<StyledOutput, 'to' | 'source'>, runs: readonly TextRun[]): StyledOutput {
  const spans: Span[] = [];
  let text = '';
  for (const run of runs) {
    const start = text.length;
    text += typeof run === 'string' ? run : run[0];
    if (typeof run === 'string' || text.length === start) continue;
    const [, { token, isBold }] = run;
    const style = { ...(token !== undefined && { theme_token: token }), ...(isBold && { bold: true }) };
    spans.push({ start_index: start, end_index: text.length, style });
  }
  return { ...place, text, spans };
}

export const LINE_END: StyledOutput = { to: 'stdout', source: 'assistant', text: '\n', spans: [] };
