import { escapeHidden } from '@qwen/protocol';
import { useState } from 'preact/hooks';
import type { AskedQuestion } from './describe-call.js';

export interface QuestionFormProps {
  /** For submit buttons outside the form. */
  readonly id: string;
  readonly questions: readonly AskedQuestion[];
  readonly isDisabled: boolean;
  readonly onAnswer: (answers: Record<string, readonly string[]>) => void;
}

export function QuestionForm({ id, questions, isDisabled, onAnswer }: QuestionFormProps) {
  const [chosen, setChosen] = useState<Record<string, readonly string[]>>({});
  const [own, setOwn] = useState<Record<string, string>>({});
  const choose = (index: number, label: string, isMultiple: boolean) => {
    const before = chosen[index] ?? [];
    const without = before.filter((other) => other !== label);
    const after = isMultiple ? (before.includes(label) ? without : [...before, label]) : [label];
    setChosen({ ...chosen, [index]: after });
  };
  const answer = () => {
    const answers = questions.map((_, index): [string, readonly string[]] => {
      const text = own[index]?.trim() ?? '';
      return [String(index), text === '' ? (chosen[index] ?? []) : [...(chosen[index] ?? []), text]];
    });
    onAnswer(Object.fromEntries(answers.filter(([, labels]) => labels.length > 0)));
  };
  return (
    <form
      id={id}
      class="approval-detail"
      onSubmit={(event) => {
        event.preventDefault();
        answer();
      }}
    >
      {questions.map(({ question, header, options, multiSelect = false }, index) => (
        <fieldset disabled={isDisabled}>
          <legend>
            {header !== undefined && <span class="muted">{escapeHidden(header)}: </span>}
            {question}
          </legend>
          {options.map(({ label, description }) => (
            <label class="option">
              <input
                type={multiSelect ? 'checkbox' : 'radio'}
                name={`question-${index}`}
                checked={chosen[index]?.includes(label) ?? false}
                onChange={() => choose(index, label, multiSelect)}
              />
              <span>
                {escapeHidden(label)}{' '}
                {description !== undefined && <span class="muted">{escapeHidden(description)}</span>}
              </span>
            </label>
          ))}
          <label class="why">
            <span>Other</span>
            <input
              value={own[index] ?? ''}
              onInput={({ currentTarget }) => setOwn({ ...own, [index]: currentTarget.value })}
            />
          </label>
        </fieldset>
      ))}
    </form>
  );
}
