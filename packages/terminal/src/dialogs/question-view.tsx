import type { ReactNode } from 'react';
import type { TerminalSession } from '../session/terminal-session.js';
import type { OpenQuestion } from '../state/terminal-state.js';
import { AskedDialog } from './questions/asked-dialog.js';
import { askedQuestions } from './questions/asked-questions.js';
import { ConfirmationDialog } from './questions/confirmation-dialog.js';
import { ElicitationDialog } from './questions/elicitation-dialog.js';
import { PermissionDialog } from './questions/permission-dialog.js';

interface QuestionViewProps {
  readonly question: OpenQuestion;
  readonly session: Pick<TerminalSession, 'print'>;
  readonly columns: number;
  readonly rows: number;
}

/** Use the question id as its React key. */
export function QuestionView({ question, session, columns, rows }: QuestionViewProps): ReactNode {
  if (question.kind === 'confirmation') {
    return <ConfirmationDialog {...{ question, session, columns, rows }} />;
  }
  if (question.kind === 'elicitation') return <ElicitationDialog {...{ question, session, columns, rows }} />;
  const asked = askedQuestions(question.request);
  if (asked !== undefined) return <AskedDialog {...{ question, asked, session, columns, rows }} />;
  return <PermissionDialog {...{ question, session, columns, rows }} />;
}
