import type { StoredSession } from '@qwen/commands';
import type { ReactNode } from 'react';
import { ListPage } from './list-page.js';
import type { PageProps } from './page.js';
import { reportFailure } from './report-failure.js';
import { useLoaded } from './use-loaded.js';

const MAX_SESSIONS = 200;

export function SessionsPage({ session, columns, rows, onClose }: PageProps): ReactNode {
  const [loaded] = useLoaded(async () => (await session.commands()).host.storedSessions.list(MAX_SESSIONS));
  const stored = loaded.state === 'ready' ? loaded.value : [];
  const others = stored.filter(({ sessionId }) => sessionId !== session.host.sessionId);
  return (
    <ListPage
      title="Earlier sessions"
      notes={[
        ...(loaded.state === 'loading' ? [[{ text: 'Looking…', token: 'Gray' } as const]] : []),
        ...(loaded.state === 'failed' ? [[{ text: loaded.message, token: 'AccentRed' } as const]] : []),
        ...(loaded.state === 'ready' && others.length === 0
          ? [[{ text: 'No earlier sessions in this folder.', token: 'Gray' } as const]]
          : []),
      ]}
      choices={others.map((one) => ({ value: one.sessionId, label: titleOf(one), detail: ageOf(one.modifiedAtMs) }))}
      isFiltered
      columns={columns}
      rows={rows}
      onChoose={(sessionId) => {
        onClose();
        reportFailure(session, session.open(sessionId));
      }}
      onCancel={onClose}
    />
  );
}

function titleOf({ title, firstPrompt, sessionId }: StoredSession): string {
  return (title ?? firstPrompt ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 100) || sessionId;
}

const UNITS = [
  { ms: 86_400_000, word: 'd' },
  { ms: 3_600_000, word: 'h' },
  { ms: 60_000, word: 'min' },
];

function ageOf(atMs: number, nowMs: number = Date.now()): string {
  const age = Math.max(0, nowMs - atMs);
  const unit = UNITS.find(({ ms }) => age >= ms);
  return unit === undefined ? 'just now' : `${Math.floor(age / unit.ms)} ${unit.word} ago`;
}
