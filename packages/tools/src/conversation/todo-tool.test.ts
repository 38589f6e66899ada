import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool } from '../../test/run-tool.js';
import { todoTool } from './todo-tool.js';

test('the model gets a summary, the user sees the list', async () => {
  verifies('GAP-21');
  const todos = [
    { id: '1', content: 'look', status: 'completed' },
    { id: '2', content: 'write', status: 'in_progress' },
    { id: '3', content: 'test', status: 'pending' },
  ];
  expect(await runTool(todoTool(), { todos }, { cwd: '/' })).toMatchObject({
    content: 'The list has 3 entries, 2 open.',
    display: { kind: 'todos', todos },
  });
});
