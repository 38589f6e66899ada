import { escapeHidden } from '@qwen/protocol';
import { useState } from 'preact/hooks';
import type { ListedSession } from '../session/page-store.js';

export interface SessionListProps {
  readonly sessions: readonly ListedSession[];
  readonly isListed: boolean;
  readonly openId: string | undefined;
  readonly onOpen: (sessionId: string | undefined) => void;
  readonly onDelete: (sessionId: string) => void;
  readonly older: number;
  readonly onMore: () => void;
}

export function SessionList({ sessions, isListed, openId, onOpen, onDelete, older, onMore }: SessionListProps) {
  const [pendingDelete, setPendingDelete] = useState<string>();
  return (
    <>
      <button type="button" class="new-session" onClick={() => onOpen(undefined)}>
        New session
      </button>
      <ul class="sessions">
        {sessions.map((session) => (
          <li key={session.id} class={session.id === openId ? 'current' : undefined}>
            {pendingDelete === session.id ? (
              <DeleteQuestion
                title={sessionTitle(session)}
                onYes={() => {
                  setPendingDelete(undefined);
                  onDelete(session.id);
                }}
                onNo={() => setPendingDelete(undefined)}
              />
            ) : (
              <>
                <button
                  type="button"
                  class="session"
                  aria-current={session.id === openId ? 'page' : undefined}
                  onClick={() => onOpen(session.id)}
                >
                  <span class="title">{sessionTitle(session)}</span>
                  <span class="muted">{new Date(session.lastActivity).toLocaleString()}</span>
                </button>
                <button
                  type="button"
                  class="quiet delete"
                  aria-label={`Delete ${sessionTitle(session)}`}
                  onClick={() => setPendingDelete(session.id)}
                >
                  ✕
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
      {older > 0 && (
        <button type="button" class="quiet more-sessions" onClick={onMore}>
          Show older sessions ({older})
        </button>
      )}
      {isListed && sessions.length === 0 && <p class="muted">No sessions yet.</p>}
    </>
  );
}

interface DeleteQuestionProps {
  readonly title: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

function DeleteQuestion({ title, onYes, onNo }: DeleteQuestionProps) {
  return (
    <div class="pendingDelete" role="group" aria-label={`Delete ${title}?`}>
      <span>Delete the session and its history?</span>
      <button type="button" class="deny" onClick={onYes}>
        Delete
      </button>
      <button type="button" ref={(button) => button?.focus()} onClick={onNo}>
        Keep
      </button>
    </div>
  );
}

export function sessionTitle({ id, metadata }: Pick<ListedSession, 'id' | 'metadata'>): string {
  for (const name of ['title', 'description', 'name']) {
    const title = metadata[name];
    if (typeof title === 'string' && title.trim() !== '') return escapeHidden(title);
  }
  return `Session ${id.slice(0, 8)}`;
}
