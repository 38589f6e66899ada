import { escapeHidden } from '@qwen/protocol';
import { useIsScreenReaderEnabled } from 'ink';
import { type ReactNode, useState } from 'react';
import { previewLines } from '../../cards/preview-lines.js';
import { Lines } from '../../lines/lines-view.js';
import { toShown } from '../../lines/shown-text.js';
import type { StyledLine } from '../../lines/styled-line.js';
import { chopLine, wrapLine } from '../../lines/wrap-line.js';
import type { TerminalSession } from '../../session/terminal-session.js';
import type { OpenQuestion } from '../../state/terminal-state.js';
import { useAnswerGuard } from '../choice/answer-guard.js';
import { ChoiceMenu } from '../choice/choice-menu.js';
import { DialogFrame, FRAME_COLUMNS, FRAME_ROWS } from '../dialog-frame.js';
import { denyWith, type PermissionChoice, permissionChoices, STOP } from './permission-choices.js';
import { TextEntry } from './text-entry.js';
import { useWholeLines } from './use-whole-lines.js';

interface PermissionDialogProps {
  readonly question: Extract<OpenQuestion, { kind: 'permission' }>;
  readonly session: Pick<TerminalSession, 'print'>;
  readonly columns: number;
  readonly rows: number;
}

/** Content that does not fit is printed in full above, so that users never approve a partial view. */
export function PermissionDialog({ question, session, columns, rows }: PermissionDialogProps): ReactNode {
  const { request, waiting, answer } = question;
  const isScreenReader = useIsScreenReaderEnabled();
  const guard = useAnswerGuard();
  const [words, setWords] = useState<string>();
  const choices = permissionChoices(request);
  const inner = columns - FRAME_COLUMNS;
  const preview = previewLines(request, { columns: inner, isScreenReader });
  const reasons = reasonLines(question, inner);
  const room = Math.max(1, rows - FRAME_ROWS - reasons.length - choices.length - 1);
  const shown = useWholeLines(preview, { room, id: question.id, session });
  const choose = (choice: PermissionChoice): void => {
    if (choice.kind === 'words') setWords(choice.prompt);
    else answer(choice.answer);
  };
  const keys = guard.isArmed ? '↑↓ choose · Enter or number · Esc: reject and stop' : 'Stop typing to answer';
  return (
    <DialogFrame
      title={titleOf(question)}
      keys={words === undefined ? keys : 'Enter: send · Esc: back'}
      columns={columns}
    >
      <Lines lines={shown} />
      <Lines lines={reasons} />
      {words === undefined ? (
        <ChoiceMenu
          choices={choices}
          guard={guard}
          isPreselected={isHarmless(request)}
          rows={choices.length}
          columns={inner}
          onChoose={choose}
          onCancel={() => answer(STOP)}
        />
      ) : (
        <TextEntry
          prompt={words}
          columns={inner}
          onSubmit={(text) => answer(denyWith(text))}
          onCancel={() => {
            guard.restart();
            setWords(undefined);
          }}
        />
      )}
      {waiting > 0 && <Lines lines={[[{ text: `${waiting} more to answer`, token: 'AccentYellow' }]]} />}
    </DialogFrame>
  );
}

/** An edit of the workspace, which the question shows in full. */
function isHarmless({ preview, blockedPath }: PermissionDialogProps['question']['request']): boolean {
  return preview.type === 'edit' && blockedPath === null;
}

function titleOf({ request: { preview, agent, toolName } }: PermissionDialogProps['question']): string {
  const who = agent === undefined ? '' : `Subagent ${escapeHidden(agent, { maxLength: 40 })}: `;
  switch (preview.type) {
    case 'edit':
      return `${who}Edit this file?`;
    case 'exec':
      return `${who}Run this command?`;
    case 'mcp':
      return `${who}Call this tool?`;
    case 'plan':
      return `${who}Proceed with this plan?`;
    case 'info':
      return `${who}Allow ${escapeHidden(toolName, { maxLength: 60 })}?`;
  }
}

function reasonLines(
  { request: { reason, blockedPath, preview } }: PermissionDialogProps['question'],
  columns: number,
): StyledLine[] {
  const shown = escapeHidden(reason, { maxLength: Math.max(20, columns * 2) });
  return [
    // A plan always asks.
    ...(preview.type === 'plan' ? [] : wrapLine([{ text: shown, token: 'Gray' }], columns)),
    ...(blockedPath === null
      ? []
      : chopLine(
          [{ text: `Outside the workspace or protected: ${toShown(blockedPath)}`, token: 'AccentYellow' }],
          columns,
        )),
  ];
}
