import type { Choice } from '../choice/choice-list.js';
import type { FormField, FormValue } from './form-fields.js';

/** What a line below a field stands for. */
export type FieldPick =
  | { readonly kind: 'value'; readonly value: FormValue }
  | { readonly kind: 'tick'; readonly value: string }
  /** Nothing is said about it. */
  | { readonly kind: 'empty' };

export type ChosenField = Extract<FormField, { kind: 'yes_no' | 'choice' | 'choices' }>;

/** The lines to choose from; `ticked` are those of several that are chosen so far. */
export function fieldChoices(field: ChosenField, ticked: readonly string[]): readonly Choice<FieldPick>[] {
  const empty: readonly Choice<FieldPick>[] = field.isRequired ? [] : [{ value: { kind: 'empty' }, label: 'Skip' }];
  switch (field.kind) {
    case 'yes_no':
      return [
        { value: { kind: 'value', value: true }, label: 'Yes' },
        { value: { kind: 'value', value: false }, label: 'No' },
        ...empty,
      ];
    case 'choice':
      return [
        ...field.options.map(({ value, label }) => ({ value: { kind: 'value', value } as const, label })),
        ...empty,
      ];
    case 'choices':
      return [
        ...field.options.map(({ value, label }) => ({
          value: { kind: 'tick', value } as const,
          label: `[${ticked.includes(value) ? 'x' : ' '}] ${label}`,
        })),
        { value: { kind: 'value', value: [...ticked] }, label: `Done, with ${ticked.length} of them` },
        ...empty,
      ];
  }
}

/** Whether a line is what the server proposes. */
export function isProposed(field: ChosenField, pick: FieldPick): boolean {
  return field.kind !== 'choices' && pick.kind === 'value' && pick.value === field.initial;
}
