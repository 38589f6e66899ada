import type { ComposedInput } from '../session/terminal-session.js';

/** One character in the text that represents a folded paste or an image. */
export type Atom =
  | { readonly kind: 'paste'; readonly number: number; readonly label: string; readonly text: string }
  | { readonly kind: 'image'; readonly number: number; readonly label: string; readonly image: ComposedImage };

export type ComposedImage = ComposedInput['images'][number];

/** Atoms by placeholder character, from the last private-use block, which `cleanText` removes from input. */
export type Atoms = ReadonlyMap<string, Atom>;

export const NO_ATOMS: Atoms = new Map();

const FIRST = 0x10fc00;
const LAST = 0x10fffd;

/** The high surrogate of all placeholders and of no other character in the text. */
export const ATOM_UNIT = '\udbff';
const ATOM = /\udbff[\udc00-\udffd]/g;

export function isAtom(character: string): boolean {
  return character.startsWith(ATOM_UNIT);
}

/** Undefined when no placeholders are left. */
export function withAtom(atoms: Atoms, atom: Atom): { readonly atoms: Atoms; readonly character: string } | undefined {
  const code = FIRST + atoms.size;
  if (code > LAST) return undefined;
  const character = String.fromCodePoint(code);
  return { atoms: new Map(atoms).set(character, atom), character };
}

function atomsIn(text: string, atoms: Atoms): readonly (readonly [character: string, atom: Atom])[] {
  return (text.match(ATOM) ?? []).flatMap((character) => {
    const atom = atoms.get(character);
    return atom === undefined ? [] : [[character, atom] as const];
  });
}

export function nextNumber(kind: Atom['kind'], text: string, atoms: Atoms): number {
  const taken = atomsIn(text, atoms).flatMap(([, atom]) => (atom.kind === kind ? [atom.number] : []));
  return Math.max(0, ...taken) + 1;
}

/** The text to send: pastes are expanded, images listed in the order of their labels. */
export function expandAtoms(text: string, atoms: Atoms): ComposedInput {
  const images: ComposedImage[] = [];
  const expanded = text.replace(ATOM, (character) => {
    const atom = atoms.get(character);
    if (atom?.kind === 'image') images.push(atom.image);
    return wordsOf(atom);
  });
  return { text: expanded, images };
}

export function wordsOf(atom: Atom | undefined): string {
  return atom?.kind === 'paste' ? atom.text : (atom?.label ?? '');
}

/** Restores the images of a text that was edited elsewhere, by their labels. */
export function restoreImages(changed: string, original: string, atoms: Atoms): string {
  let restored = changed;
  for (const [character, atom] of atomsIn(original, atoms)) {
    if (atom.kind === 'image') restored = restored.replace(atom.label, character);
  }
  return restored;
}
