import type { Choice } from '../choice/choice-list.js';
import type { FormField, FormValue } from './form-fields.js';

export type FieldPick =
  | { readonly kind: 'value'; readonly value: FormValue }
  | { readonly kind: 'tick'; readonly value: string }
  | { readonly kind: 'empty' };

export type ChosenField = Extract<FormField, { kind: 'yes_no' | 'choice' | 'choices' }>;

/** `ticked`: the values selected so far. */
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
        { value: { kind: 'value', value: [...ticked] }, label: `Done (${ticked.length} selected)` },
        ...empty,
      ];
  }
}

export function isProposed(field: ChosenField, pick: FieldPick): boolean {
  return field.kind !== 'choices' && pick.kind === 'value' && pick.value === field.initial;
}
