import type { TerminalSession } from '../../session/terminal-session.js';

/** What every dialog that a command opens gets. */
export interface PageProps {
  readonly session: TerminalSession;
  readonly columns: number;
  /** Rows that it may take. */
  readonly rows: number;
  /** Takes the dialog away. */
  readonly onClose: () => void;
}
