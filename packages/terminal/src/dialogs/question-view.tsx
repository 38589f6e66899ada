import type { ReactNode } from 'react';
import type { TerminalSession } from '../session/terminal-session.js';
import type { OpenQuestion } from '../state/terminal-state.js';
import { AskedDialog } from './questions/asked-dialog.js';
import { askedQuestions } from './questions/asked-questions.js';
import { ConfirmationDialog } from './questions/confirmation-dialog.js';
import { ElicitationDialog } from './questions/elicitation-dialog.js';
import { PermissionDialog } from './questions/permission-dialog.js';
import { useTypingGuard } from './questions/use-typing-guard.js';

interface QuestionViewProps {
  readonly question: OpenQuestion;
  readonly session: Pick<TerminalSession, 'print'>;
  readonly columns: number;
  readonly rows: number;
  /** Epoch milliseconds of the last key that went elsewhere. */
  readonly typedAt: number;
}

/** Use the question id as its React key. */
export function QuestionView({ question, session, columns, rows, typedAt }: QuestionViewProps): ReactNode {
  const isArmed = useTypingGuard(typedAt);
  if (question.kind === 'confirmation') {
    return <ConfirmationDialog {...{ question, session, columns, rows, isArmed }} />;
  }
  if (question.kind === 'elicitation') return <ElicitationDialog {...{ question, session, columns, rows, isArmed }} />;
  const asked = askedQuestions(question.request);
  if (asked !== undefined) return <AskedDialog {...{ question, asked, session, columns, rows, isArmed }} />;
  return <PermissionDialog {...{ question, session, columns, rows, isArmed }} />;
}
