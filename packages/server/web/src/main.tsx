import { escapeHidden } from '@qwen/protocol';
import { options, render } from 'preact';
import * as z from 'zod/mini';
import { Drafts } from './composer/drafts.js';
import { Page } from './page.js';
import { ServerClient } from './server/server-client.js';
import { SessionToken } from './server/session-token.js';
import { browserClock } from './session/browser-clock.js';
import { PageStore } from './session/page-store.js';
import { notifyChanges } from './settings/notify-changes.js';
import { PageSettings } from './settings/page-settings.js';

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

const ROUND_MS = 5000;
/** Without running turns, the list is reloaded every 30 seconds. */
const IDLE_ROUNDS = 6;

const SHARE = /^#share=([\w.-]{1,500})$/;
const SESSION = /^#([\w-]{1,200})$/;

const settings = new PageSettings(storageOf(() => localStorage));
const ticket = SHARE.exec(location.hash)?.[1];
const token = new SessionToken(
  storageOf(() => sessionStorage),
  ticket,
);
const store = new PageStore({
  client: new ServerClient(new URL('.', document.baseURI), token),
  token,
  drafts: new Drafts(storageOf(() => sessionStorage)),
  clock: browserClock,
  onOpen: (sessionId) => {
    if (ticket !== undefined) return;
    const hash = sessionId === undefined ? '' : `#${sessionId}`;
    if (location.hash !== hash) history.pushState(null, '', hash === '' ? location.pathname : hash);
  },
});

notifyChanges(store, settings);

const openNamed = () => store.open(SESSION.exec(location.hash)?.[1]);
addEventListener('popstate', openNamed);
// Other programs may have changed the sessions.
document.addEventListener('visibilitychange', () => !document.hidden && void store.refresh());
let rounds = 0;
setInterval(() => {
  rounds += 1;
  const isBusy = store.state.sessions.some(({ activity }) => activity !== 'idle');
  const isShown = !document.hidden || settings.state.hasNotifications;
  if (isShown && !store.state.wantsToken && (isBusy || rounds % IDLE_ROUNDS === 0)) void store.refresh();
}, ROUND_MS);

const root = document.getElementById('page');
if (root !== null) render(<Page store={store} settings={settings} />, root);
void store.refresh();
if (ticket === undefined) openNamed();
// Another link in the same tab.
addEventListener('hashchange', () => SHARE.test(location.hash) && location.reload());

/** Undefined if the browser forbids storage. */
function storageOf(find: () => Storage): Storage | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}
