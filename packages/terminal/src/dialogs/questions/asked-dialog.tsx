import { escapeHidden } from '@qwen/protocol';
import { type ReactNode, useState } from 'react';
import { Lines } from '../../lines/lines-view.js';
import { toShownLines } from '../../lines/shown-text.js';
import type { StyledLine } from '../../lines/styled-line.js';
import { wrapLine } from '../../lines/wrap-line.js';
import { markdownLines } from '../../markdown/markdown-stream.js';
import type { TerminalSession } from '../../session/terminal-session.js';
import type { OpenQuestion } from '../../state/terminal-state.js';
import { useAnswerGuard } from '../choice/answer-guard.js';
import type { Choice } from '../choice/choice-list.js';
import { ChoiceMenu } from '../choice/choice-menu.js';
import { DialogFrame, FRAME_COLUMNS, FRAME_ROWS } from '../dialog-frame.js';
import { type AskedQuestion, answerQuestions } from './asked-questions.js';
import { denyWith } from './permission-choices.js';
import { TextEntry } from './text-entry.js';
import { useWholeLines } from './use-whole-lines.js';

interface AskedDialogProps {
  readonly question: Extract<OpenQuestion, { kind: 'permission' }>;
  readonly asked: readonly AskedQuestion[];
  readonly session: Pick<TerminalSession, 'print'>;
  readonly columns: number;
  readonly rows: number;
}

type Picked =
  | { readonly kind: 'option'; readonly label: string }
  | { readonly kind: 'own' }
  | { readonly kind: 'done' };

const UNANSWERED = denyWith('The user chose not to answer.');

/** Asks the model's questions in turn; free-text answers are allowed. */
export function AskedDialog({ question, asked, session, columns, rows }: AskedDialogProps): ReactNode {
  const { request, answer } = question;
  const guard = useAnswerGuard();
  const [answers, setAnswers] = useState<readonly (string | readonly string[])[]>([]);
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const [isOwn, setOwn] = useState(false);
  const inner = columns - FRAME_COLUMNS;
  const current = asked[answers.length];
  const choices = current === undefined ? [] : choicesOf(current, ticked);
  const words = toShownLines(current?.question ?? '').flatMap((line) => wrapLine([{ text: line }], inner));
  const free = rows - FRAME_ROWS - choices.length;
  const previews = previewsOf(current, { columns: inner, rows: Math.floor(free / 2) });
  const room = Math.max(1, free - previews.rows);
  const shown = useWholeLines(words, { room, id: `${question.id} ${answers.length}`, session });
  if (current === undefined) return undefined;

  const take = (given: string | readonly string[]): void => {
    const all = [...answers, given];
    guard.restart();
    setTicked([]);
    setOwn(false);
    if (all.length === asked.length) answer(answerQuestions(request, all));
    else setAnswers(all);
  };
  const choose = (pick: Picked): void => {
    if (pick.kind === 'own') return setOwn(true);
    if (pick.kind === 'done') return take(ticked);
    if (current.multiSelect !== true) return take(pick.label);
    setTicked(ticked.includes(pick.label) ? ticked.filter((label) => label !== pick.label) : [...ticked, pick.label]);
  };
  const takeOwn = (text: string): void => {
    if (text.trim() !== '') take(current.multiSelect === true ? [...ticked, text] : text);
  };
  const count = asked.length > 1 ? ` (${answers.length + 1} of ${asked.length})` : '';
  const keys = guard.isArmed ? '↑↓ choose · Enter or number · Esc: skip' : 'Stop typing to answer';
  return (
    <DialogFrame
      title={`${titleOf(current)}${count}`}
      keys={isOwn ? 'Enter: send · Esc: back' : keys}
      columns={columns}
    >
      <Lines lines={shown} />
      {isOwn ? (
        <TextEntry
          prompt="In your own words"
          columns={inner}
          onSubmit={takeOwn}
          onCancel={() => {
            guard.restart();
            setOwn(false);
          }}
        />
      ) : (
        <ChoiceMenu
          key={answers.length}
          choices={choices}
          guard={guard}
          rows={Math.max(3, rows - FRAME_ROWS - shown.length - previews.rows)}
          columns={inner}
          detailsOf={(pick) => (pick?.kind === 'option' ? (previews.lines.get(pick.label) ?? []) : [])}
          onChoose={choose}
          onCancel={() => answer(UNANSWERED)}
        />
      )}
    </DialogFrame>
  );
}

interface Previews {
  readonly rows: number;
  readonly lines: ReadonlyMap<string, readonly StyledLine[]>;
}

/** The previews, in Markdown, by the label of their option. Each has at most `rows` lines. */
function previewsOf(asked: AskedQuestion | undefined, limit: { columns: number; rows: number }): Previews {
  const lines = new Map(
    (asked?.options ?? []).flatMap(({ label, preview }) => {
      if (preview === undefined || limit.rows < 2) return [];
      const drawn = markdownLines(preview, { columns: limit.columns - PREVIEW_BAR.length });
      const cut: StyledLine = [{ text: `… ${drawn.length - limit.rows + 1} more lines`, token: 'Gray' }];
      const shown = drawn.length > limit.rows ? [...drawn.slice(0, limit.rows - 1), cut] : drawn;
      return [[label, shown.map((line): StyledLine => [{ text: PREVIEW_BAR, token: 'Gray' }, ...line])]];
    }),
  );
  return { lines, rows: Math.max(0, ...[...lines.values()].map(({ length }) => length)) };
}

const PREVIEW_BAR = '│ ';

/** The model writes the header, which must not look like a question of qwen. */
function titleOf({ header }: AskedQuestion): string {
  const lead = 'Question from the agent';
  return header === undefined ? lead : `${lead}: ${escapeHidden(header, { maxLength: 40 })}`;
}

function choicesOf({ options, multiSelect }: AskedQuestion, ticked: readonly string[]): readonly Choice<Picked>[] {
  const isMany = multiSelect === true;
  return [
    ...options.map(({ label, description }) => ({
      value: { kind: 'option', label } as const,
      label: isMany ? `[${ticked.includes(label) ? 'x' : ' '}] ${label}` : label,
      ...(description !== undefined && { detail: description }),
    })),
    { value: { kind: 'own' }, label: 'Something else…' },
    ...(isMany ? [{ value: { kind: 'done' } as const, label: `Done (${ticked.length} selected)` }] : []),
  ];
}
