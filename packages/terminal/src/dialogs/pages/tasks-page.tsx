import type { TaskView } from '@qwen/agent';
import { taskLine } from '@qwen/commands';
import { type ReactNode, useState } from 'react';
import { toShown } from '../../lines/shown-text.js';
import { ListPage } from './list-page.js';
import type { PageProps } from './page.js';
import { reportFailure } from './report-failure.js';
import { TextPage } from './text-page.js';

/** The commands in the background: their output, and stopping them. */
export function TasksPage({ session, columns, rows, onClose }: PageProps): ReactNode {
  const { background } = session.host;
  const [taskId, setTaskId] = useState<string>();
  const [output, setOutput] = useState<string>();
  const tasks = background?.list() ?? [];
  const task = tasks.find((one) => one.taskId === taskId);
  if (task === undefined || background === undefined) {
    return (
      <ListPage
        title="Background commands"
        notes={tasks.length === 0 ? [[{ text: 'No background commands.', token: 'Gray' }]] : []}
        choices={tasks.map((one) => ({ value: one.taskId, label: toShown(taskLine(one)) }))}
        columns={columns}
        rows={rows}
        onChoose={setTaskId}
        onCancel={onClose}
      />
    );
  }
  const title = toShown(task.command);
  if (output !== undefined) {
    return <TextPage {...{ title, text: output, columns, rows }} onClose={() => setOutput(undefined)} />;
  }
  return (
    <ListPage
      title={title}
      notes={[[{ text: toShown(taskLine(task)) }]]}
      choices={choicesFor(task)}
      columns={columns}
      rows={rows}
      onChoose={(choice) => {
        if (choice === 'output')
          setOutput(background.output(task.taskId).trimEnd() || 'The command has written no output.');
        else setTaskId(undefined);
        if (choice === 'stop') reportFailure(session, background.stop(task.taskId));
      }}
      onCancel={() => setTaskId(undefined)}
      escape="back"
    />
  );
}

function choicesFor({ status }: TaskView) {
  return [
    { value: 'output' as const, label: 'Show its output' },
    ...(status === 'running' ? [{ value: 'stop' as const, label: 'Stop it' }] : []),
    { value: 'back' as const, label: 'Back' },
  ];
}
