import { escapeHidden } from '@qwen/protocol';
import { options, render } from 'preact';
import * as z from 'zod/mini';
import { Page } from './page.js';
import { ServerClient } from './server/server-client.js';
import { SessionToken } from './server/session-token.js';
import { browserClock } from './session/browser-clock.js';
import { PageStore } from './session/page-store.js';

// The content security policy forbids eval, which zod would use.
z.config({ jitless: true });

/** What the page shows of an element besides its text. */
const SHOWN_ATTRIBUTES = ['alt', 'aria-label', 'title'];

// Write hidden characters out everywhere: in answers, titles, and names of tools and files.
options.vnode = (node) => {
  const { type, props }: { readonly type: unknown; readonly props: unknown } = node;
  // The properties of a text are the text.
  if (typeof props === 'string') Object.assign(node, { props: escapeHidden(props, { keepLines: true }) });
  if (typeof type !== 'string') return;
  const attributes: Record<string, unknown> = Object(props);
  for (const name of SHOWN_ATTRIBUTES) {
    const value = attributes[name];
    if (typeof value === 'string') attributes[name] = escapeHidden(value);
  }
};

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
