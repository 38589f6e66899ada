import { AgentError } from '@qwen/protocol';
import type { Command } from '../command.js';
import { says } from '../command-outcome.js';
import type { StoredSession } from '../host/session-controls.js';
import { list, timeText } from './command-text.js';
import { startingWith } from './completions.js';

const MAX_SHOWN = 20;
const MAX_TITLE_LENGTH = 80;

export const resumeCommand: Command = {
  name: 'resume',
  description: 'Lists earlier sessions, or goes on from one.',
  aliases: ['sessions'],
  kind: 'built-in',
  usage: '[SESSION]',
  run: async ({ args }, { session, storedSessions }) => {
    if (args === '' || args === 'list') {
      const stored = (await storedSessions.list(MAX_SHOWN + 1)).filter((one) => one.sessionId !== session.sessionId);
      return says(
        list('Earlier sessions:', stored.slice(0, MAX_SHOWN).map(sessionLine), 'There are no earlier sessions.'),
      );
    }
    if (args === session.sessionId) throw new AgentError('session_busy', 'This is the session that is running.');
    const history = await storedSessions.load(args);
    await session.restore(history);
    return { type: 'load_history', history };
  },
  complete: async (partial, { host }) =>
    startingWith(
      partial,
      (await host.storedSessions.list(MAX_SHOWN)).map((one) => ({ value: one.sessionId, description: titleOf(one) })),
    ),
};

function sessionLine(stored: StoredSession): string {
  return `${stored.sessionId}  ${timeText(stored.modifiedAtMs)}  ${titleOf(stored)}`.trimEnd();
}

function titleOf({ title, firstPrompt = '' }: StoredSession): string {
  const words = [...(title ?? firstPrompt).replaceAll(/\s+/g, ' ').trim()];
  return words.length > MAX_TITLE_LENGTH ? `${words.slice(0, MAX_TITLE_LENGTH).join('')}…` : words.join('');
}
