import type { FileStore } from '@qwen/agent/node';
import { AgentError, nearestName } from '@qwen/protocol';

const PAGE = 1000;
const MAX_NAMED = 5;

/**
 * Accepts an id, a unique prefix or a unique title. Rejects with `session_not_found` or `usage` (ambiguous); both
 * list candidates.
 */
export async function findSession(store: FileStore, word: string): Promise<string> {
  const sessions = await allSessions(store);
  if (sessions.some(({ sessionId }) => sessionId === word)) return word;
  const fitting = sessions.filter(({ sessionId, title }) => sessionId.startsWith(word) || title === word);
  const [found, ...others] = fitting;
  if (found !== undefined && word !== '' && others.length === 0) return found.sessionId;
  if (found !== undefined) {
    const names = fitting.slice(0, MAX_NAMED).map(({ sessionId }) => sessionId);
    const more = fitting.length > names.length ? ', …' : '';
    throw new AgentError('usage', `sessions: "${word}" matches ${fitting.length} sessions: ${names.join(', ')}${more}`);
  }
  const near = nearestName(
    word,
    sessions.flatMap(({ sessionId, title = '' }) => [sessionId, title]),
  );
  const hint = near === undefined ? 'see qwen sessions list --all' : `did you mean "${near}"?`;
  throw new AgentError('session_not_found', `There is no session ${word}; ${hint}`, { data: { sessionId: word } });
}

/** Latest first. */
export async function allSessions(store: Pick<FileStore, 'list'>) {
  const { sessions, nextCursor } = await store.list({ limit: PAGE });
  const all = [...sessions];
  for (let cursor = nextCursor; cursor !== undefined; ) {
    const page = await store.list({ limit: PAGE, cursor });
    all.push(...page.sessions);
    cursor = page.nextCursor;
  }
  return all;
}
