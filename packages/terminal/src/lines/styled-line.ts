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
  /** The address of a link, as `toHref` returns it. */
  readonly href?: string;
}

/** A normalized address without control characters. Undefined for other kinds, such as `javascript:`. */
export function toHref(address: string): string | undefined {
  if (!/^(?:https?|mailto|file):/i.test(address) || !URL.canParse(address)) return undefined;
  const { href } = new URL(address);
  return /^[!-~]{1,2000}$/.test(href) ? href : undefined;
}

export type StyledLine = readonly Segment[];

export function plainText(line: StyledLine): string {
  return line.map(({ text }) => text).join('');
}
