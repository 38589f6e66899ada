import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListedSession, PageStore } from '../session/page-store.js';

export interface SessionActionsProps {
  readonly id: string;
  readonly session: ListedSession;
  readonly title: string;
  readonly page: PageStore;
  readonly onClose: () => void;
}

export function SessionActions({ id, session, title, page, onClose }: SessionActionsProps) {
  const [step, setStep] = useState<'actions' | 'rename' | 'delete'>('actions');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>('[data-first]')?.focus(), [step]);
  const { id: sessionId, archived } = session;
  const configure = (change: { readonly title?: string; readonly archived?: boolean }) => {
    onClose();
    void page.configure({ sessionId, ...change });
  };
  return (
    <div
      class="session-actions"
      id={id}
      ref={box}
      role="group"
      aria-label={step === 'delete' ? `Delete ${title}?` : `Actions for ${title}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      {step === 'actions' && (
        <>
          <button type="button" class="quiet" data-first onClick={() => setStep('rename')}>
            Rename
          </button>
          <button type="button" class="quiet" onClick={() => configure({ archived: !archived })}>
            {archived ? 'Unarchive' : 'Archive'}
          </button>
          <button
            type="button"
            class="quiet"
            onClick={() => {
              onClose();
              void page.fork(sessionId);
            }}
          >
            Fork
          </button>
          <button type="button" class="quiet" onClick={() => setStep('delete')}>
            Delete…
          </button>
        </>
      )}
      {step === 'rename' && <RenameForm title={title} onRename={(name) => configure({ title: name })} />}
      {step === 'delete' && (
        <>
          <p>Delete the session and its history?</p>
          <button
            type="button"
            class="deny"
            onClick={() => {
              onClose();
              void page.delete(sessionId);
            }}
          >
            Delete
          </button>
          <button type="button" data-first onClick={onClose}>
            Keep
          </button>
        </>
      )}
    </div>
  );
}

function RenameForm({ title, onRename }: { readonly title: string; readonly onRename: (title: string) => void }) {
  const [name, setName] = useState(title);
  return (
    <form
      class="rename"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') onRename(name.trim());
      }}
    >
      <input
        data-first
        aria-label="Title"
        maxLength={200}
        value={name}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button type="submit" disabled={name.trim() === ''}>
        Save
      </button>
    </form>
  );
}
