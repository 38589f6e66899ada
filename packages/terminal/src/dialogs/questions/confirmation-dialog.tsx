import { type Confirmation, type ConfirmationAnswer, NOT_CONFIRMED } from '@qwen/host/service-apis.js';
import type { ReactNode } from 'react';
import { Lines } from '../../lines/lines-view.js';
import { toShown } from '../../lines/shown-text.js';
import type { StyledLine } from '../../lines/styled-line.js';
import { wrapLine } from '../../lines/wrap-line.js';
import type { TerminalSession } from '../../session/terminal-session.js';
import type { OpenQuestion } from '../../state/terminal-state.js';
import { useAnswerGuard } from '../choice/answer-guard.js';
import type { Choice } from '../choice/choice-list.js';
import { ChoiceMenu } from '../choice/choice-menu.js';
import { DialogFrame, FRAME_COLUMNS, FRAME_ROWS } from '../dialog-frame.js';
import { useWholeLines } from './use-whole-lines.js';

interface ConfirmationDialogProps {
  readonly question: Extract<OpenQuestion, { kind: 'confirmation' }>;
  readonly session: Pick<TerminalSession, 'print'>;
  readonly columns: number;
  readonly rows: number;
}

export function ConfirmationDialog({ question, session, columns, rows }: ConfirmationDialogProps): ReactNode {
  const { confirmation, answer } = question;
  const guard = useAnswerGuard();
  const inner = columns - FRAME_COLUMNS;
  const choices = choicesOf(confirmation);
  const body = bodyOf(confirmation).flatMap((line) => wrapLine(line, inner));
  const room = Math.max(1, rows - FRAME_ROWS - choices.length);
  const shown = useWholeLines(body, { room, id: question.id, session });
  return (
    <DialogFrame
      title={confirmation.type === 'confirm_shell_commands' ? 'Run these commands?' : 'Continue?'}
      keys={guard.isArmed ? '↑↓ choose · Enter or number · Esc: reject' : 'Stop typing to answer'}
      columns={columns}
    >
      <Lines lines={shown} />
      <ChoiceMenu
        choices={choices}
        guard={guard}
        isPreselected={false}
        rows={choices.length}
        columns={inner}
        onChoose={answer}
        onCancel={() => answer(NOT_CONFIRMED)}
      />
    </DialogFrame>
  );
}

function bodyOf(confirmation: Confirmation): readonly StyledLine[] {
  if (confirmation.type !== 'confirm_shell_commands') {
    return confirmation.prompt.split('\n').map((line) => [{ text: toShown(line) }]);
  }
  return confirmation.commands.flatMap((command) =>
    command.split('\n').map((line): StyledLine => [{ text: '$ ', token: 'Gray' }, { text: toShown(line) }]),
  );
}

function choicesOf(confirmation: Confirmation): readonly Choice<ConfirmationAnswer>[] {
  const no = { value: NOT_CONFIRMED, label: 'No', detail: 'Esc' };
  if (confirmation.type !== 'confirm_shell_commands') {
    return [{ value: { confirmationOutcome: 'proceed_once', approvedCommands: [] }, label: 'Yes' }, no];
  }
  const approvedCommands = [...confirmation.commands];
  return [
    { value: { confirmationOutcome: 'proceed_once', approvedCommands }, label: 'Yes' },
    { value: { confirmationOutcome: 'proceed_always', approvedCommands }, label: 'Yes, always for this session' },
    no,
  ];
}
