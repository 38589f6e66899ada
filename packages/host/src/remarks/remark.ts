import type { Span, TerminalSource, ThemeToken } from '@qwen/protocol/openai';

/** Something a person sees around the words of the model, or a piece of it. */
export interface Remark {
  readonly to: 'stdout' | 'stderr';
  readonly source: TerminalSource;
  /** Line ends included. Only an answer that is data may hold what would steer a terminal, and it has no spans. */
  readonly text: string;
  /** How stretches of the text look, in their order; they do not overlap. */
  readonly spans: readonly Span[];
}

export interface Style {
  readonly token?: ThemeToken;
  readonly isBold?: true;
}

/** A stretch of text, plain or with a look. */
export type Stretch = string | readonly [text: string, style: Style];

/** Puts stretches together; one with a look becomes a span. */
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

/** The end of a line that an answer left open. */
export const LINE_END: Remark = { to: 'stdout', source: 'assistant', text: '\n', spans: [] };
