import { toShown } from '../lines/shown-text.js';
import type { StyledLine } from '../lines/styled-line.js';
import type { createCodePainter } from './highlighter.js';

/** Colors the lines of one code block in order; open strings and comments continue. */
export type CodePainter = (text: string) => StyledLine;

export const PLAIN_CODE: CodePainter = (text) => [{ text: toShown(text) }];

let highlighter: { readonly createCodePainter: typeof createCodePainter } | undefined;

/** Loads the highlighter, which takes longer than the rest of the screen. Until then code is plain. */
export async function loadHighlighter(): Promise<void> {
  highlighter ??= await import('./highlighter.js');
}

/** `language`: the info string of the fence or a file extension. */
export function codePainter(language: string): CodePainter {
  return highlighter?.createCodePainter(language) ?? PLAIN_CODE;
}
