import type { Span, TerminalSource, ThemeToken } from '@qwen/protocol/openai';

/** Text shown around the model's output, or a piece of that output. */
export interface Remark {
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

/** Plain or styled text. */
export type Stretch = string | readonly [text: string, style: Style];

export function remark(place: Pick<Remark, 'to' | 'source'>, stretches: readonly Stretch[]): Remark {
  const spans: Span[] = [];
  let text = '';
  for (const stretch of stretches) {
    const start = text.length;
    text += typeof stretch === 'string' ? stretch : stretch[0];
    if (typeof stretch === 'string' || text.length === start) continue;
    const [, { token, isBold }] = stretch;
    const style = { ...(token !== undefined && { theme_token: token }), ...(isBold && { bold: true }) };
    spans.push({ start_index: start, end_index: text.length, style });
  }
  return { ...place, text, spans };
}

/** Ends a line that an answer left open. */
export const LINE_END: Remark = { to: 'stdout', source: 'assistant', text: '\n', spans: [] };
