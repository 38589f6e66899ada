import type { ListedSession, PageStore } from '../session/page-store.js';
import { sessionTitle } from '../sessions/session-list.js';
import type { PageSettings } from './page-settings.js';

/** Notifies of sessions that wait for an answer or have finished, while the page is hidden. */
export function notifyChanges(page: PageStore, settings: PageSettings): void {
  let before = new Map<string, ListedSession['activity']>();
  page.follow(() => {
    const { sessions } = page.state;
    for (const session of sessions) {
      const earlier = before.get(session.id);
      if (earlier === undefined || earlier === session.activity) continue;
      if (document.hidden && settings.state.hasNotifications) notify(session, page);
    }
    before = new Map(sessions.map(({ id, activity }) => [id, activity]));
  });
}

const NEWS = { waiting: 'The agent waits for your answer.', idle: 'The agent has finished.' } as const;

function notify(session: ListedSession, page: PageStore): void {
  if (session.activity === undefined || session.activity === 'running') return;
  const notification = new Notification(sessionTitle(session), { body: NEWS[session.activity], tag: session.id });
  notification.addEventListener('click', () => {
    window.focus();
    page.open(session.id);
  });
}
