import type { TerminalSession } from '../../session/terminal-session.js';

export interface PageProps {
  readonly session: TerminalSession;
  readonly columns: number;
  readonly rows: number;
  readonly onClose: () => void;
}
