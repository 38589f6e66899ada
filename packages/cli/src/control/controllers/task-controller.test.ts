import { BackgroundTasks } from '@qwen/tools';
import { expect, test } from 'vitest';
import { createFixtureAgent } from '../../../test/fixture-agent.js';
import { TaskController } from './task-controller.js';

const CONTEXT = { requestId: 'r', signal: new AbortController().signal };

/** A command that ends when it is stopped. */
function start(tasks: BackgroundTasks, callId: string, isBackground: boolean) {
  return tasks.start({
    callId,
    command: 'npm run dev',
    isBackground,
    signal: new AbortController().signal,
    run: async (task) => {
      task.push(Buffer.from('ready\n'));
      await new Promise((resolve) => task.signal.addEventListener('abort', resolve));
    },
    describe: () => ({ status: 'stopped', notes: ['stopped'] }),
  });
}

test('an app lists, reads, moves and stops the commands of a session', async () => {
  const background = new BackgroundTasks();
  const current = { ...createFixtureAgent([]), background };
  const { handlers } = new TaskController({ agents: { current, find: () => current } });
  const list = async () => (await handlers.list_tasks({}, CONTEXT)).tasks;
  await start(background, 'c1', true);
  const inForeground = start(background, 'c2', false);
  expect(await list()).toMatchObject([{ tool_use_id: 'c1', status: 'running', output_bytes: 6 }]);
  const [first] = await list();
  expect(await handlers.get_task_output({ task_id: first?.task_id ?? '' }, CONTEXT)).toEqual({ output: 'ready\n' });
  expect(await handlers.background_tasks({ tool_use_id: 'other' }, CONTEXT)).toEqual({ moved: 0 });
  expect(await handlers.background_tasks({}, CONTEXT)).toEqual({ moved: 1 });
  expect(await inForeground).toMatchObject({ result: undefined });
  for (const { task_id } of await list()) await handlers.stop_task({ task_id }, CONTEXT);
  expect((await list()).map(({ status, note }) => `${status} ${note}`)).toEqual(['stopped stopped', 'stopped stopped']);
  await expect(handlers.stop_task({ task_id: 'task_9' }, CONTEXT)).rejects.toMatchObject({ code: 'task_not_found' });
});

test('a session that has not begun has no commands', async () => {
  const current = createFixtureAgent([]);
  const { handlers } = new TaskController({ agents: { current, find: () => current } });
  expect(await handlers.list_tasks({}, CONTEXT)).toEqual({ tasks: [] });
  await expect(handlers.stop_task({ task_id: 'task_1' }, CONTEXT)).rejects.toMatchObject({ code: 'task_not_found' });
});
