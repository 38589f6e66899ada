import { useEffect, useState } from 'preact/hooks';
import type { PageStore } from './session/page-store.js';
import { SessionView } from './session/session-view.js';
import { useStore } from './session/use-store.js';
import { NewSession } from './sessions/new-session.js';
import { SessionList, sessionTitle } from './sessions/session-list.js';
import { TokenForm } from './token-form.js';

export function Page({ store }: { readonly store: PageStore }) {
  const { sessions, olderSessions, isListed, open, wantsToken, problem } = useStore(store);
  const [isListOpen, setIsListOpen] = useState(false);
  const listed = sessions.find(({ id }) => id === open?.sessionId);
  const title = open === undefined ? 'New session' : sessionTitle(listed ?? { id: open.sessionId, metadata: {} });
  useEffect(() => {
    if (open === undefined) document.title = `${title} · qwen`;
  }, [open, title]);
  if (wantsToken) {
    return (
      <main class="alone">
        <h1>qwen</h1>
        <TokenForm problem={problem} onEnter={(token) => void store.enter(token)} />
      </main>
    );
  }
  return (
    <div class={isListOpen ? 'layout list-open' : 'layout'}>
      <header>
        <button
          type="button"
          class="quiet list-toggle"
          aria-expanded={isListOpen}
          aria-controls="sessions"
          onClick={() => setIsListOpen(!isListOpen)}
        >
          Sessions
        </button>
        <h1>{title}</h1>
      </header>
      <nav id="sessions" aria-label="Sessions">
        <SessionList
          sessions={sessions}
          isListed={isListed}
          openId={open?.sessionId}
          onOpen={(sessionId) => {
            setIsListOpen(false);
            store.open(sessionId);
          }}
          onDelete={(sessionId) => void store.delete(sessionId)}
          older={olderSessions}
          onMore={() => void store.listMore()}
        />
      </nav>
      <main>
        {open === undefined ? (
          <NewSession onStart={(input, text) => store.start(input, text)} />
        ) : (
          <SessionView key={open.sessionId} page={store} session={open} title={title} />
        )}
        {problem !== undefined && (
          <p class="problem error" role="alert">
            {problem}
            <button type="button" class="quiet" onClick={() => store.update({ problem: undefined })}>
              Close
            </button>
          </p>
        )}
      </main>
    </div>
  );
}
