import { Box } from 'ink';
import type { ReactNode } from 'react';
import { Lines } from '../../lines/lines-view.js';
import { toShownInOne } from '../../lines/shown-text.js';
import type { StyledLine } from '../../lines/styled-line.js';
import { cutLine, wrapLine } from '../../lines/wrap-line.js';
import type { AnswerGuard } from '../choice/answer-guard.js';
import { ChoiceMenu } from '../choice/choice-menu.js';
import { type ChosenField, type FieldPick, fieldChoices, isProposed } from '../form/field-choices.js';
import type { FormField, FormValue } from '../form/form-fields.js';
import { readField } from '../form/read-field.js';
import { useLatestState } from '../use-latest-state.js';
import { TextEntry } from './text-entry.js';

interface FormFieldViewProps<Field extends FormField> {
  readonly field: Field;
  /** The previous answer when the user returns to this field. */
  readonly before: FormValue | undefined;
  readonly guard: AnswerGuard;
  readonly columns: number;
  readonly rows: number;
  /** `undefined`: skipped. */
  readonly onTake: (value: FormValue | undefined) => void;
  readonly onBack: () => void;
}

const DESCRIPTION_ROWS = 3;

/** Use the field name as its React key. */
export function FormFieldView(props: FormFieldViewProps<FormField>): ReactNode {
  const { field } = props;
  return field.kind === 'text' || field.kind === 'number' ? (
    <TypedField {...props} field={field} />
  ) : (
    <PickedField {...props} field={field} />
  );
}

function TypedField(props: FormFieldViewProps<Extract<FormField, { kind: 'text' | 'number' }>>): ReactNode {
  const { field, before, guard, columns, onTake, onBack } = props;
  const initial = before === undefined ? (field.initial ?? '') : String(before);
  const problem = useLatestState<string | undefined>(undefined);
  const submit = (typed: string): void => {
    const reading = readField(field, typed);
    if (reading.kind === 'problem') problem.set(reading.message);
    // A held Enter must not send what the server proposed.
    else if (typed === initial && !guard.isArmed) guard.restart();
    else onTake(reading.kind === 'value' ? reading.value : undefined);
  };
  const trouble: readonly StyledLine[] =
    problem.current === undefined ? [] : [[{ text: problem.current, token: 'AccentRed' }]];
  return (
    <Box flexDirection="column">
      <Lines lines={descriptionOf(field, columns)} />
      <TextEntry
        prompt={promptOf(field, columns)}
        columns={columns}
        initial={initial}
        onSubmit={submit}
        onCancel={onBack}
      />
      <Lines lines={trouble} />
    </Box>
  );
}

function PickedField(props: FormFieldViewProps<ChosenField>): ReactNode {
  const { field, before, guard, columns, rows, onTake, onBack } = props;
  const initial = Array.isArray(before) ? before : field.kind === 'choices' ? field.initial : [];
  const ticked = useLatestState<readonly string[]>(initial);
  const choices = fieldChoices(field, ticked.current);
  const head: readonly StyledLine[] = [
    ...descriptionOf(field, columns),
    [{ text: promptOf(field, columns), bold: true }],
  ];
  const choose = (pick: FieldPick): void => {
    if (pick.kind === 'empty') return onTake(undefined);
    if (pick.kind === 'tick') return ticked.set(toggled(ticked.current, pick.value));
    onTake(field.kind === 'choices' ? [...ticked.current] : pick.value);
  };
  return (
    <Box flexDirection="column">
      <Lines lines={head} />
      <ChoiceMenu
        choices={choices}
        guard={guard}
        rows={Math.max(3, rows - head.length)}
        columns={columns}
        isChosen={(pick) => (before === undefined ? isProposed(field, pick) : 'value' in pick && pick.value === before)}
        onChoose={choose}
        onCancel={onBack}
      />
    </Box>
  );
}

function promptOf({ label, isRequired }: FormField, columns: number): string {
  const [words] = cutLine([{ text: toShownInOne(label) }], Math.max(8, columns - 16));
  return `${words?.text ?? ''}${isRequired ? '' : ' (optional)'}`;
}

function descriptionOf({ description = '', fallback }: FormField, columns: number): readonly StyledLine[] {
  const texts = [description, fallback === undefined ? '' : `If you leave this empty, ${fallback} is sent.`];
  return texts
    .map(toShownInOne)
    .filter((text) => text !== '')
    .flatMap((text) => wrapLine([{ text, token: 'Gray' }], columns).slice(0, DESCRIPTION_ROWS));
}

function toggled(ticked: readonly string[], value: string): readonly string[] {
  return ticked.includes(value) ? ticked.filter((one) => one !== value) : [...ticked, value];
}
