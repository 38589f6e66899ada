import { useEffect, useState } from 'preact/hooks';
import { KeyboardHelp } from './dialogs/keyboard-help.js';
import { SettingsDialog } from './dialogs/settings-dialog.js';
import { ShareDialog } from './dialogs/share-dialog.js';
import { ExportMenu } from './export/export-menu.js';
import { mayDo, type PageStore } from './session/page-store.js';
import { SessionView } from './session/session-view.js';
import { useStore } from './session/use-store.js';
import { NewSession } from './sessions/new-session.js';
import { SessionList, sessionTitle } from './sessions/session-list.js';
import type { PageSettings } from './settings/page-settings.js';
import { useShortcuts } from './settings/use-shortcuts.js';
import { TokenForm } from './token-form.js';

export interface PageProps {
  readonly store: PageStore;
  readonly settings: PageSettings;
}

type PageDialog = 'help' | 'settings' | 'share';

export function Page({ store, settings }: PageProps) {
  const { open, current, wantsToken, linkedSessionId, problem } = useStore(store);
  const [isListOpen, setIsListOpen] = useState(false);
  const [dialog, setDialog] = useState<PageDialog>();
  const hasList = !wantsToken && linkedSessionId === undefined;
  const search = () => {
    setIsListOpen(true);
    // The list may be hidden until then.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.search')?.focus());
  };
  useShortcuts({
    onHelp: wantsToken ? undefined : () => setDialog('help'),
    onSearch: hasList ? search : undefined,
    onNew: hasList && mayDo(store.state, 'write') ? () => store.open(undefined) : undefined,
  });
  const title = open === undefined ? 'New session' : sessionTitle(current ?? { id: open.sessionId, metadata: {} });
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
    <div class={`layout${isListOpen ? ' list-open' : ''}${linkedSessionId === undefined ? '' : ' no-list'}`}>
      <PageHeader
        store={store}
        title={title}
        isListOpen={isListOpen}
        onToggleList={() => setIsListOpen(!isListOpen)}
        onDialog={setDialog}
      />
      {dialog === 'help' && <KeyboardHelp onClose={() => setDialog(undefined)} />}
      {dialog === 'share' && open !== undefined && (
        <ShareDialog page={store} sessionId={open.sessionId} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'settings' && <SettingsDialog settings={settings} onClose={() => setDialog(undefined)} />}
      {linkedSessionId === undefined && (
        <nav id="sessions" aria-label="Sessions">
          <SessionList
            page={store}
            onOpen={(sessionId) => {
              setIsListOpen(false);
              store.open(sessionId);
            }}
          />
        </nav>
      )}
      <main>
        {open === undefined && !mayDo(store.state, 'write') ? (
          <p class="muted empty">This token can read sessions. Choose one from the list.</p>
        ) : open === undefined ? (
          <NewSession
            page={store}
            draft={store.drafts.get('')}
            onDraft={(text) => store.drafts.set('', text)}
            onStart={(input, message) => store.start(input, message)}
          />
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

interface PageHeaderProps {
  readonly store: PageStore;
  readonly title: string;
  readonly isListOpen: boolean;
  readonly onToggleList: () => void;
  readonly onDialog: (dialog: PageDialog) => void;
}

function PageHeader({ store, title, isListOpen, onToggleList, onDialog }: PageHeaderProps) {
  const { open, linkedSessionId } = store.state;
  return (
    <header>
      {linkedSessionId === undefined && (
        <button
          type="button"
          class="quiet list-toggle"
          aria-expanded={isListOpen}
          aria-controls="sessions"
          onClick={onToggleList}
        >
          Sessions
        </button>
      )}
      <h1>{title}</h1>
      {open !== undefined && mayDo(store.state, 'write') && (
        <button type="button" class="quiet" onClick={() => onDialog('share')}>
          Share
        </button>
      )}
      {open !== undefined && <ExportMenu page={store} title={title} />}
      <button type="button" class="quiet" onClick={() => onDialog('settings')}>
        Settings
      </button>
      <button type="button" class="quiet" aria-label="Keyboard help" onClick={() => onDialog('help')}>
        ?
      </button>
    </header>
  );
}
