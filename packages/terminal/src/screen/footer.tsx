import { type ReactElement, useMemo } from 'react';
import { Lines } from '../lines/lines-view.js';
import type { TerminalSession } from '../session/terminal-session.js';
import type { TerminalState } from '../state/terminal-state.js';
import { footerRows } from './footer-rows.js';
import { readBranch } from './git-branch.js';

interface FooterProps {
  readonly session: TerminalSession;
  readonly state: TerminalState;
  readonly changeModeKey: string | undefined;
  readonly columns: number;
  readonly rows: number;
}

export function Footer({ session, state, changeModeKey, columns, rows }: FooterProps): ReactElement {
  const { cwd } = session.configuration;
  const { turn, model, permissionMode, context, costUsd, hint } = state;
  const isIdle = turn === undefined;
  // A turn may have changed it.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- read again when a turn begins or ends.
  const branch = useMemo(() => readBranch(cwd), [cwd, isIdle]);
  const brokenServers = session.mcp.list().flatMap(({ name, status }) => (status === 'disconnected' ? [name] : []));
  const { sandbox, background } = session.host;
  const running = background?.list().filter(({ status }) => status === 'running').length ?? 0;
  const facts = {
    cwd,
    branch,
    model,
    permissionMode,
    context,
    costUsd,
    brokenServers,
    running,
    sandbox: sandbox?.state,
    hint,
    changeModeKey,
  };
  return <Lines lines={footerRows(facts, { columns, rows })} />;
}
