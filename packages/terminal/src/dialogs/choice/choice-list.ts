export interface Choice<Value> {
  readonly value: Value;
  /** May hold untrusted text; escaped when drawn. */
  readonly label: string;
  readonly detail?: string;
  /** Cannot be chosen. */
  readonly isHeading?: true;
}

export interface ChoiceList<Value> {
  readonly choices: readonly Choice<Value>[];
  /** -1: nothing can be chosen. */
  readonly index: number;
}

export function openList<Value>(
  choices: readonly Choice<Value>[],
  isChosen: (value: Value) => boolean = () => false,
): ChoiceList<Value> {
  const wanted = choices.findIndex((choice) => choice.isHeading !== true && isChosen(choice.value));
  return { choices, index: wanted === -1 ? choices.findIndex(isOpen) : wanted };
}

/** Skips headings and wraps around. Enters the list at its near end if nothing is selected. */
export function moveBy<Value>(list: ChoiceList<Value>, steps: number): ChoiceList<Value> {
  const open = list.choices.flatMap((choice, index) => (isOpen(choice) ? [index] : []));
  if (open.length === 0) return list;
  const at = open.indexOf(list.index);
  const place = at === -1 && steps > 0 ? at : Math.max(0, at);
  const next = open[(((place + steps) % open.length) + open.length) % open.length];
  return { ...list, index: next ?? list.index };
}

/** Counted from 1, without headings. */
export function byNumber<Value>(list: ChoiceList<Value>, number: number): Choice<Value> | undefined {
  return list.choices.filter(isOpen)[number - 1];
}

export function chosen<Value>({ choices, index }: ChoiceList<Value>): Choice<Value> | undefined {
  return choices[index];
}

export function visiblePart<Value>(
  { choices, index }: ChoiceList<Value>,
  rows: number,
): { readonly start: number; readonly choices: readonly Choice<Value>[] } {
  const size = Math.max(1, rows);
  const middle = Math.max(0, index) - Math.floor(size / 2);
  const start = Math.max(0, Math.min(middle, choices.length - size));
  return { start, choices: choices.slice(start, start + size) };
}

/** Keeps choices that contain every typed word; drops empty headings. */
export function filterChoices<Value>(choices: readonly Choice<Value>[], typed: string): readonly Choice<Value>[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return choices;
  const fits = ({ label, detail = '' }: Choice<Value>): boolean => {
    const text = `${label} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const kept = choices.filter((choice) => choice.isHeading === true || fits(choice));
  return kept.filter((choice, place) => choice.isHeading !== true || isOpen(kept[place + 1]));
}

function isOpen<Value>(choice: Choice<Value> | undefined): boolean {
  return choice !== undefined && choice.isHeading !== true;
}
