import type { TaskView } from '@qwen/agent';
import type { Command } from '../command.js';
import { info } from '../command-outcome.js';
import { badUsage, list, plural, startingWith } from './command-parts.js';

export const tasksCommand: Command = {
  name: 'tasks',
  description: 'List background commands, show their output and stop them.',
  kind: 'built-in',
  usage: '[output|stop ID]',
  run: async ({ args }, { tasks }) => {
    const [verb = '', taskId, ...rest] = args.split(/\s+/).filter((word) => word !== '');
    if (verb === '') return info(list('Background commands:', tasks.list().map(taskLine), 'No background commands.'));
    if (taskId === undefined || rest.length > 0) return badUsage(tasksCommand);
    if (verb === 'output') return info(tasks.output(taskId).trimEnd() || 'The command has written no output.');
    if (verb !== 'stop') return badUsage(tasksCommand);
    return info(taskLine(await tasks.stop(taskId)));
  },
  complete: async (partial, { host }) => {
    const tasks = host.tasks.list();
    const running = tasks.filter(({ status }) => status === 'running');
    return startingWith(partial, [
      ...tasks.map(({ taskId, command }) => ({ value: `output ${taskId}`, description: command })),
      ...running.map(({ taskId, command }) => ({ value: `stop ${taskId}`, description: command })),
    ]);
  },
};

/** One line for a list. */
export function taskLine({ taskId, command, status, note, durationMs }: TaskView): string {
  const seconds = plural(Math.round(durationMs / 1000), 'second');
  const state = status === 'running' ? `running for ${seconds}` : `${status} after ${seconds}`;
  return `${taskId}  ${state}${note === undefined ? '' : ` (${note})`}  ${command.replaceAll(/\s+/g, ' ').trim()}`;
}
