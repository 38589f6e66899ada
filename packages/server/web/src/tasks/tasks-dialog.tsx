import { escapeHidden } from '@qwen/protocol';
import { useEffect, useId, useState } from 'preact/hooks';
import { Dialog } from '../dialogs/dialog.js';
import { type BackgroundTask, mayDo, type PageStore } from '../session/page-store.js';
import { durationText } from '../transcript/usage-text.js';

export interface TasksDialogProps {
  readonly page: PageStore;
  readonly sessionId: string;
  readonly tasks: readonly BackgroundTask[];
  readonly reload: () => Promise<void>;
  readonly onClose: () => void;
}

export function TasksDialog({ page, sessionId, tasks, reload, onClose }: TasksDialogProps) {
  const stop = async (taskId: string) => {
    // The page shows the problem, behind the dialog.
    if (await page.stopTask(sessionId, taskId)) await reload();
    else onClose();
  };
  return (
    <Dialog title="Background commands" onClose={onClose}>
      {tasks.length === 0 && <p class="muted">The agent of this session has exited, and its commands have ended.</p>}
      <ul class="tasks">
        {tasks.toReversed().map((task) => (
          <TaskItem
            key={task.taskId}
            task={task}
            readOutput={() => page.taskOutput(sessionId, task.taskId)}
            onStop={mayDo(page.state, 'write') ? () => stop(task.taskId) : undefined}
          />
        ))}
      </ul>
    </Dialog>
  );
}

interface TaskItemProps {
  readonly task: BackgroundTask;
  readonly readOutput: () => Promise<string>;
  readonly onStop: (() => Promise<void>) | undefined;
}

function TaskItem({ task, readOutput, onStop }: TaskItemProps) {
  const { command, description, status, note, durationMs, outputBytes } = task;
  const [isShown, setIsShown] = useState(false);
  const [isStopping, setIsStopping] = useState(false);
  const [output, setOutput] = useState<string>();
  const id = useId();
  useEffect(() => {
    // The next size of the output repeats a failed request.
    if (isShown) readOutput().then(setOutput, () => undefined);
  }, [isShown, outputBytes, status]);
  const isRunning = status === 'running';
  return (
    <li>
      <code class="task-command">{escapeHidden(command, { keepLines: true })}</code>
      {description !== undefined && <p class="muted">{description}</p>}
      <div class="task-bar">
        <span class={status === 'failed' ? 'error' : 'muted'}>
          {[status, note, durationText(durationMs)].filter((text) => text !== undefined).join(' · ')}
        </span>
        <button
          type="button"
          class="quiet"
          aria-expanded={isShown}
          aria-controls={id}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? 'Hide output' : 'Show output'}
        </button>
        {isRunning && onStop !== undefined && (
          <button
            type="button"
            class="stop"
            disabled={isStopping}
            onClick={() => {
              setIsStopping(true);
              void onStop().finally(() => setIsStopping(false));
            }}
          >
            Stop
          </button>
        )}
      </div>
      {isShown && (
        <pre id={id} class="task-output" role="group" aria-label="Output" tabIndex={0}>
          {output === undefined ? 'Loading…' : output === '' ? 'No output yet.' : output}
        </pre>
      )}
    </li>
  );
}
