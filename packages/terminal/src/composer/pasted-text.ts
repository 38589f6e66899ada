import type { Atom } from './atoms.js';

const MAX_LINES = 10;
const MAX_LENGTH = 2_000;

/** A long paste would push everything else off the screen. */
export function isLongPaste(text: string): boolean {
  return text.length > MAX_LENGTH || countLines(text) > MAX_LINES;
}

export function foldedPaste(text: string, number: number): Extract<Atom, { kind: 'paste' }> {
  const lines = countLines(text);
  const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
  return { kind: 'paste', number, label: `[Pasted text #${number} +${size}]`, text };
}

function countLines(text: string): number {
  return text.split('\n').length;
}
