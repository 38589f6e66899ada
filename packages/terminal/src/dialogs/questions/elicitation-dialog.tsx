import { escapeHidden } from '@qwen/protocol';
import { type ReactNode, useMemo } from 'react';
import { Lines } from '../../lines/lines-view.js';
import { toShownLines } from '../../lines/shown-text.js';
import type { StyledLine } from '../../lines/styled-line.js';
import { wrapLine } from '../../lines/wrap-line.js';
import type { TerminalSession } from '../../session/terminal-session.js';
import type { OpenQuestion } from '../../state/terminal-state.js';
import { useAnswerGuard } from '../choice/answer-guard.js';
import type { Choice } from '../choice/choice-list.js';
import { ChoiceMenu } from '../choice/choice-menu.js';
import { DialogFrame, FRAME_COLUMNS, FRAME_ROWS } from '../dialog-frame.js';
import { type FormValue, formFields } from '../form/form-fields.js';
import { useLatestState } from '../use-latest-state.js';
import { FormFieldView } from './form-field-view.js';
import { useWholeLines } from './use-whole-lines.js';

interface ElicitationDialogProps {
  readonly question: Extract<OpenQuestion, { kind: 'elicitation' }>;
  readonly session: Pick<TerminalSession, 'print'>;
  readonly columns: number;
  readonly rows: number;
}

interface Progress {
  /** Field index; -1 while the user decides whether to answer at all. */
  readonly at: number;
  readonly content: Readonly<Record<string, FormValue>>;
}

const WARNING: StyledLine = [
  { text: 'Your answer is sent to this server. Do not enter passwords or keys.', token: 'AccentYellow' },
];

/** First asks whether to answer at all, then for each field; for a web page, only whether to open it. */
export function ElicitationDialog({ question, session, columns, rows }: ElicitationDialogProps): ReactNode {
  const { elicitation, serverName, answer } = question;
  const guard = useAnswerGuard();
  const fields = useMemo(() => formFields(elicitation), [elicitation]);
  const progress = useLatestState<Progress>({ at: -1, content: {} });
  const inner = columns - FRAME_COLUMNS;
  const { mode, url } = elicitation;
  const page = mode === 'url' && url !== undefined ? new URL(url) : undefined;
  const words = toShownLines(elicitation.message).flatMap((line) => wrapLine([{ text: line }], inner));
  const choices = page === undefined ? firstChoices(fields.length > 0) : PAGE_CHOICES;
  const warning =
    page === undefined ? wrapLine(WARNING, inner) : pageLines(page).flatMap((line) => wrapLine(line, inner));
  const room = Math.max(1, rows - FRAME_ROWS - choices.length - warning.length);
  const shown = useWholeLines(words, { room, id: question.id, session });
  const { at, content } = progress.current;
  const field = fields[at];

  const goTo = (next: Progress): void => {
    // Keys for the last field must not answer this one.
    guard.restart();
    progress.set(next);
    if (next.at >= fields.length) answer({ action: 'accept', content: next.content });
  };
  const take = (name: string, value: FormValue | undefined): void => {
    const { [name]: _before, ...others } = progress.current.content;
    goTo({ at: progress.current.at + 1, content: value === undefined ? others : { ...others, [name]: value } });
  };
  const request = page === undefined ? 'requests input' : 'asks you to open a web page';
  const title = `The MCP server ${escapeHidden(serverName, { maxLength: 40 })} ${request}`;
  if (field === undefined) {
    const keys = guard.isArmed ? '↑↓ choose · Enter or number · Esc: not now' : 'Stop typing to answer';
    return (
      <DialogFrame title={title} keys={keys} columns={columns}>
        <Lines lines={[...shown, ...warning]} />
        <ChoiceMenu
          choices={choices}
          guard={guard}
          isPreselected={false}
          rows={choices.length}
          columns={inner}
          onChoose={(isAnswered) => (isAnswered ? goTo({ at: 0, content: {} }) : answer({ action: 'decline' }))}
          onCancel={() => answer({ action: 'cancel' })}
        />
      </DialogFrame>
    );
  }
  const isTyped = field.kind === 'text' || field.kind === 'number';
  const untilArmed = isTyped ? 'Esc: back' : 'Stop typing to answer';
  const keys = guard.isArmed ? 'Enter: accept · Esc: back' : untilArmed;
  const count = fields.length > 1 ? ` (${at + 1} of ${fields.length})` : '';
  return (
    <DialogFrame title={`${title}${count}`} keys={keys} columns={columns}>
      <FormFieldView
        key={field.name}
        field={field}
        before={content[field.name]}
        guard={guard}
        columns={inner}
        rows={rows - FRAME_ROWS}
        onTake={(value) => take(field.name, value)}
        onBack={() => goTo({ ...progress.current, at: progress.current.at - 1 })}
      />
    </DialogFrame>
  );
}

const PAGE_CHOICES: readonly Choice<boolean>[] = [
  { value: true, label: 'Open it in the browser' },
  { value: false, label: 'No, decline' },
];

/** The host stands apart: an address can be written to look like another one. */
function pageLines({ host, href }: URL): readonly StyledLine[] {
  return [
    [{ text: 'Host: ' }, { text: host, token: 'AccentYellow' }],
    [{ text: escapeHidden(href, { maxLength: 500 }) }],
    [{ text: 'The server learns only that you agreed. What you enter there goes to that host.' }],
  ];
}

function firstChoices(hasFields: boolean): readonly Choice<boolean>[] {
  return [
    { value: true, label: hasFields ? 'Answer' : 'Yes' },
    { value: false, label: 'No, decline' },
  ];
}
