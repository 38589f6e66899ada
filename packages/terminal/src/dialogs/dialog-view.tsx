import type { ReactNode } from 'react';
import type { TerminalSession } from '../session/terminal-session.js';
import type { OpenDialog } from '../state/terminal-state.js';
import { AgentsPage } from './pages/agents-page.js';
import { AuthPage } from './pages/auth-page.js';
import { CreateAgentPage } from './pages/create-agent-page.js';
import { McpPage } from './pages/mcp-page.js';
import { ModelPage } from './pages/model-page.js';
import type { PageProps } from './pages/page.js';
import { RewindPage } from './pages/rewind-page.js';
import { SessionsPage } from './pages/sessions-page.js';
import { SettingsPage } from './pages/settings-page.js';
import { TasksPage } from './pages/tasks-page.js';
import { TextPage } from './pages/text-page.js';
import { ThemePage } from './pages/theme-page.js';

interface DialogViewProps {
  readonly dialog: OpenDialog;
  readonly session: TerminalSession;
  readonly columns: number;
  readonly rows: number;
}

type PageName = Exclude<OpenDialog['name'], 'help' | 'privacy' | 'editor'>;

const PAGES: Readonly<Record<PageName, (props: PageProps) => ReactNode>> = {
  auth: AuthPage,
  theme: ThemePage,
  settings: SettingsPage,
  model: ModelPage,
  subagent_create: CreateAgentPage,
  subagent_list: AgentsPage,
  sessions: SessionsPage,
  rewind: RewindPage,
  mcp: McpPage,
  tasks: TasksPage,
};

const TITLES = { help: 'Help', privacy: 'Privacy', editor: 'Editor' };

export function DialogView({ dialog, session, columns, rows }: DialogViewProps): ReactNode {
  const onClose = (): void => session.store.update(({ dialog: _closed, ...state }) => state);
  const { name, content = '' } = dialog;
  if (name === 'help' || name === 'privacy' || name === 'editor') {
    return <TextPage title={TITLES[name]} text={content} {...{ columns, rows, onClose }} />;
  }
  const Page = PAGES[name];
  return <Page {...{ session, columns, rows, onClose }} />;
}
