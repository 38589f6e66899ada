import type { PromptRecord } from '@qwen/protocol';
import { type Atoms, isAtom, withAtom, wordsOf } from './atoms.js';
import { cleanText } from './clean-text.js';
import { nextBorder } from './grapheme-borders.js';
import { foldedPaste } from './pasted-text.js';
import { bufferOf, type TextBuffer, textOf } from './text-buffer.js';

export interface Composition {
  readonly buffer: TextBuffer;
  readonly atoms: Atoms;
}

/** Stores pastes in full and drops images. */
export function toRecord({ buffer, atoms }: Composition): Omit<PromptRecord, 'at'> {
  const typed = textOf(buffer);
  const folds: { start: number; length: number }[] = [];
  let text = '';
  for (let at = 0, end = 0; at < typed.length; at = end) {
    end = typed[at] === '\n' ? at + 1 : nextBorder(typed, at);
    const character = typed.slice(at, end);
    const atom = isAtom(character) ? atoms.get(character) : undefined;
    if (atom?.kind === 'paste') folds.push({ start: text.length, length: atom.text.length });
    if (atom?.kind !== 'image') text += atom === undefined ? character : wordsOf(atom);
  }
  const kept = text.trimEnd();
  // A paste that ends the prompt loses its trailing blanks too.
  const within = folds.map(({ start, length }) => ({ start, length: Math.min(length, kept.length - start) }));
  return { text: kept, folds: within.filter(({ length }) => length > 0) };
}

export function fromRecord({ text, folds = [] }: PromptRecord, known: Atoms): Composition {
  let atoms = known;
  let number = 0;
  let typed = '';
  let at = 0;
  for (const { start, length } of folds) {
    if (start < at || length < 1 || start + length > text.length) continue;
    number += 1;
    const added = withAtom(atoms, foldedPaste(cleanText(text.slice(start, start + length)), number));
    if (added === undefined) break;
    atoms = added.atoms;
    typed += cleanText(text.slice(at, start)) + added.character;
    at = start + length;
  }
  return { buffer: bufferOf(typed + cleanText(text.slice(at))), atoms };
}
