import { escapeHidden } from '@qwen/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ListedSession, mayDo, type PageStore } from '../session/page-store.js';
import { useStore } from '../session/use-store.js';
import { SessionActions } from './session-actions.js';

export interface SessionListProps {
  readonly page: PageStore;
  readonly onOpen: (sessionId: string | undefined) => void;
}

const PAUSE_MS = 200;

export function SessionList({ page, onOpen }: SessionListProps) {
  const { sessions, olderSessions, isListed, isArchive, open } = useStore(page);
  return (
    <>
      {mayDo(page.state, 'write') && (
        <button type="button" class="new-session" onClick={() => onOpen(undefined)}>
          New session
        </button>
      )}
      <SearchBox page={page} />
      <ul class="sessions" aria-label={isArchive ? 'Archived sessions' : 'Sessions'}>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isOpen={session.id === open?.sessionId}
            page={page}
            onOpen={() => onOpen(session.id)}
          />
        ))}
      </ul>
      {olderSessions > 0 && (
        <button type="button" class="quiet more-sessions" onClick={() => void page.listMore()}>
          Show older sessions ({olderSessions})
        </button>
      )}
      {isListed && sessions.length === 0 && <EmptyList page={page} />}
      <button
        type="button"
        class="quiet archive-toggle"
        aria-pressed={isArchive}
        onClick={() => void page.filter({ isArchive: !isArchive })}
      >
        {isArchive ? 'Back to sessions' : 'Archived sessions'}
      </button>
    </>
  );
}

function EmptyList({ page }: { readonly page: PageStore }) {
  const { search, isArchive } = page.state;
  if (search.trim() !== '') return <p class="muted">No matching sessions.</p>;
  return <p class="muted">{isArchive ? 'No archived sessions.' : 'No sessions yet.'}</p>;
}

function SearchBox({ page }: { readonly page: PageStore }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void page.filter({ search: text }), PAUSE_MS);
  };
  return (
    <input
      type="search"
      class="search"
      aria-label="Search sessions"
      placeholder="Search sessions"
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => search(currentTarget.value)}
    />
  );
}

interface SessionRowProps {
  readonly session: ListedSession;
  readonly isOpen: boolean;
  readonly page: PageStore;
  readonly onOpen: () => void;
}

const ACTIVITIES = { running: 'working', waiting: 'waiting for an answer' } as const;

function SessionRow({ session, isOpen, page, onOpen }: SessionRowProps) {
  const [isExpanded, setIsExpanded] = useState(false);
  const title = sessionTitle(session);
  const { activity } = session;
  const menuId = `actions-${session.id}`;
  return (
    <li class={isOpen ? 'current' : undefined}>
      <div class="session-row">
        <button type="button" class="session" aria-current={isOpen ? 'page' : undefined} onClick={onOpen}>
          <span class="title">{title}</span>
          <span class="muted">
            {activity !== undefined && activity !== 'idle' && (
              <span class={`activity ${activity}`}>{ACTIVITIES[activity]} · </span>
            )}
            <time dateTime={session.lastActivity} title={new Date(session.lastActivity).toLocaleString()}>
              {toAge(session.lastActivity)}
            </time>
            {' · '}
            {escapeHidden(folderName(session.workspaceRoot ?? ''))}
          </span>
        </button>
        <button
          type="button"
          class="quiet more"
          hidden={!mayDo(page.state, 'write')}
          aria-label={`Actions for ${title}`}
          aria-expanded={isExpanded}
          aria-controls={menuId}
          onClick={() => setIsExpanded(!isExpanded)}
        >
          ⋯
        </button>
      </div>
      {isExpanded && (
        <SessionActions id={menuId} session={session} title={title} page={page} onClose={() => setIsExpanded(false)} />
      )}
    </li>
  );
}

export function sessionTitle({ id, title, metadata }: Pick<ListedSession, 'id' | 'title' | 'metadata'>): string {
  for (const each of [title, metadata['description'], metadata['name']]) {
    if (typeof each === 'string' && each.trim() !== '') return escapeHidden(each);
  }
  return `Session ${id.slice(0, 8)}`;
}

function folderName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Such as `5 min ago`, then the date. */
function toAge(isoTime: string): string {
  const date = new Date(isoTime);
  const ageMs = Date.now() - date.getTime();
  if (ageMs < MINUTE_MS) return 'just now';
  if (ageMs < 60 * MINUTE_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`;
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / (60 * MINUTE_MS))} h ago`;
  return date.toLocaleDateString();
}
