import { render } from 'preact';
import * as z from 'zod/mini';
import { Page } from './page.js';
import { ServerClient } from './server/server-client.js';
import { SessionToken } from './server/session-token.js';
import { browserClock } from './session/browser-clock.js';
import { PageStore } from './session/page-store.js';

// The content security policy forbids eval, which zod would use.
z.config({ jitless: true });

const SESSION = /^#([\w-]{1,200})$/;

const token = new SessionToken(storageOfTab());
const store = new PageStore({
  client: new ServerClient(new URL('.', document.baseURI), token),
  token,
  clock: browserClock,
  onOpen: (sessionId) => {
    const hash = sessionId === undefined ? '' : `#${sessionId}`;
    if (location.hash !== hash) history.pushState(null, '', hash === '' ? location.pathname : hash);
  },
});

const openNamed = () => store.open(SESSION.exec(location.hash)?.[1]);
addEventListener('popstate', openNamed);
// Other programs may have changed the sessions.
document.addEventListener('visibilitychange', () => !document.hidden && void store.refresh());

const root = document.getElementById('page');
if (root !== null) render(<Page store={store} />, root);
void store.refresh();
openNamed();

/** Undefined if the browser forbids storage. */
function storageOfTab(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
