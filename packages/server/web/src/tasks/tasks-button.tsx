import { useCallback, useEffect, useState } from 'preact/hooks';
import type { BackgroundTask, PageStore } from '../session/page-store.js';
import { TasksDialog } from './tasks-dialog.js';

export interface TasksButtonProps {
  readonly page: PageStore;
  readonly sessionId: string;
  readonly isRunning: boolean;
}

/** Tokens may have a limit of requests per minute. */
const RELOAD_MS = { closed: 5000, open: 2000 };

/** Missing while the session has no background commands. */
export function TasksButton({ page, sessionId, isRunning }: TasksButtonProps) {
  const [tasks, setTasks] = useState<readonly BackgroundTask[]>([]);
  const [isOpen, setIsOpen] = useState(false);
  const reload = useCallback(() => page.tasks(sessionId).then(setTasks, () => undefined), [page, sessionId]);
  const running = tasks.filter(({ status }) => status === 'running').length;
  const mayChange = isRunning || running > 0;
  useEffect(() => {
    void reload();
    if (!mayChange) return undefined;
    const everyMs = isOpen ? RELOAD_MS.open : RELOAD_MS.closed;
    const timer = setInterval(() => !document.hidden && void reload(), everyMs);
    return () => clearInterval(timer);
  }, [reload, mayChange, isOpen]);
  return (
    <>
      {tasks.length > 0 && (
        <button type="button" class="quiet" onClick={() => setIsOpen(true)}>
          {labelOf(running)}
        </button>
      )}
      {isOpen && (
        <TasksDialog page={page} sessionId={sessionId} tasks={tasks} reload={reload} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}

function labelOf(running: number): string {
  if (running === 0) return 'Background commands';
  return running === 1 ? '1 background command' : `${running} background commands`;
}
