import type { ThemeToken } from '@qwen/protocol/openai';

/** Colours are semantic tokens; a theme defines them. */
export interface TextStyle {
  readonly token?: ThemeToken;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly strikethrough?: true;
  readonly inverse?: true;
}

/** The text holds no control characters and no line end. */
export interface Segment extends TextStyle {
  readonly text: string;
}

export type StyledLine = readonly Segment[];

export function plainText(line: StyledLine): string {
  return line.map(({ text }) => text).join('');
}
