import type { RequestOf, ResponseOf, ServerClient } from '../server/server-client.js';

export type ListFilter = Pick<RequestOf<'/api/sessions/list'>, 'archived' | 'search'>;
type Listed = ResponseOf<'/api/sessions/list'>;

const MOST_AT_ONCE = 1000;

export async function listSessions(
  client: Pick<ServerClient, 'post'>,
  most: number,
  filter: ListFilter = {},
): Promise<Listed> {
  const first = await client.post('/api/sessions/list', { ...filter, limit: Math.min(most, MOST_AT_ONCE) });
  const sessions = [...first.sessions];
  while (sessions.length < Math.min(most, first.total)) {
    const limit = Math.min(most - sessions.length, MOST_AT_ONCE);
    const page = await client.post('/api/sessions/list', { ...filter, limit, afterId: sessions.at(-1)?.id });
    // Some were deleted meanwhile.
    if (page.sessions.length === 0) break;
    sessions.push(...page.sessions);
  }
  return { sessions, total: first.total };
}
