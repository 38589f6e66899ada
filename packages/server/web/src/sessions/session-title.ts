import type { ListedSession } from '../session/page-store.js';

/** What a session is called: by its page, by the program that made it, or by its id. */
export function sessionTitle({ id, metadata }: Pick<ListedSession, 'id' | 'metadata'>): string {
  for (const name of ['title', 'description', 'name']) {
    const title = metadata[name];
    if (typeof title === 'string' && title.trim() !== '') return title;
  }
  return `Session ${id.slice(0, 8)}`;
}
