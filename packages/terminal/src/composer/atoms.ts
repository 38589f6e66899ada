import type { ComposedInput } from '../session/terminal-session.js';

/** What stands in the text as one character and means more: a folded paste, or a picture. */
export type Atom =
  | { readonly kind: 'paste'; readonly number: number; readonly label: string; readonly text: string }
  | { readonly kind: 'image'; readonly number: number; readonly label: string; readonly image: ComposedImage };

export type ComposedImage = ComposedInput['images'][number];

/**
 * The atoms of a text by the character that stands for each. That is one of the last private block of Unicode, which no
 * text brings in: `cleanText` replaces those.
 */
export type Atoms = ReadonlyMap<string, Atom>;

export const NO_ATOMS: Atoms = new Map();

const FIRST = 0x10fc00;
const LAST = 0x10fffd;

/** Their UTF-16 units: the first is always the same one, and of no other character that a text here may hold. */
export const ATOM_UNIT = '\udbff';
const ATOM = /\udbff[\udc00-\udffd]/g;

/** Whether a character of a text stands for an atom. */
export function isAtom(character: string): boolean {
  return character.startsWith(ATOM_UNIT);
}

/** The atoms with one more, and the character for it; undefined when there are no characters left. */
export function withAtom(atoms: Atoms, atom: Atom): { readonly atoms: Atoms; readonly character: string } | undefined {
  const code = FIRST + atoms.size;
  if (code > LAST) return undefined;
  const character = String.fromCodePoint(code);
  return { atoms: new Map(atoms).set(character, atom), character };
}

/** The atoms that stand in a text, in their order. */
function atomsIn(text: string, atoms: Atoms): readonly (readonly [character: string, atom: Atom])[] {
  return (text.match(ATOM) ?? []).flatMap((character) => {
    const atom = atoms.get(character);
    return atom === undefined ? [] : [[character, atom] as const];
  });
}

/** The number that the next atom of a kind gets in a text. */
export function nextNumber(kind: Atom['kind'], text: string, atoms: Atoms): number {
  const taken = atomsIn(text, atoms).flatMap(([, atom]) => (atom.kind === kind ? [atom.number] : []));
  return Math.max(0, ...taken) + 1;
}

/** A text as it is sent: pastes are whole, pictures stand beside it in the order of their labels in it. */
export function expandAtoms(text: string, atoms: Atoms): ComposedInput {
  const images: ComposedImage[] = [];
  const expanded = text.replace(ATOM, (character) => {
    const atom = atoms.get(character);
    if (atom?.kind === 'image') images.push(atom.image);
    return wordsOf(atom);
  });
  return { text: expanded, images };
}

/** The words that an atom stands for. */
export function wordsOf(atom: Atom | undefined): string {
  return atom?.kind === 'paste' ? atom.text : (atom?.label ?? '');
}

/** Puts the pictures of a text back into what became of it elsewhere, where their labels stand. */
export function restoreImages(changed: string, original: string, atoms: Atoms): string {
  let restored = changed;
  for (const [character, atom] of atomsIn(original, atoms)) {
    if (atom.kind === 'image') restored = restored.replace(atom.label, character);
  }
  return restored;
}
