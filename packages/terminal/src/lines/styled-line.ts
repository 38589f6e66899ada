import type { ThemeToken } from '@qwen/protocol/openai';

/** How a stretch of text looks; colours are named by what they are for (D-10), a theme says what they are. */
export interface TextStyle {
  readonly token?: ThemeToken;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly strikethrough?: true;
  readonly inverse?: true;
}

/** A stretch of a line. The text holds nothing that could steer a terminal, and no line end (S25). */
export interface Segment extends TextStyle {
  readonly text: string;
}

/** One line of a screen, cut to its width by whoever made it. */
export type StyledLine = readonly Segment[];

/** The words of a line without their looks. */
export function plainText(line: StyledLine): string {
  return line.map(({ text }) => text).join('');
}
