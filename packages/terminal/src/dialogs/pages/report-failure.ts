import { AgentError } from '@qwen/protocol';
import { toShown } from '../../lines/shown-text.js';
import type { TerminalSession } from '../../session/terminal-session.js';

export function reportFailure(session: Pick<TerminalSession, 'print'>, work: Promise<unknown>): void {
  work.catch((thrown: unknown) => {
    session.print([[{ text: toShown(AgentError.from(thrown).message), token: 'AccentRed' }]]);
  });
}
