import { expect, test } from 'vitest';
import { toOwnInput, viewsOf } from './call-views.js';

const call = { toolName: 'run_shell_command', input: { command: 'npm start', is_background: true } };

test('a guard of Bash sees that a command would run in the background, and may change it', async () => {
  const [view] = await viewsOf(call, 'Bash', '/work');
  expect(view?.input).toEqual({ ...call.input, run_in_background: true });
  if (view === undefined) return;
  expect(toOwnInput({ command: 'npm test', is_background: true, run_in_background: true }, view, call)).toEqual({
    command: 'npm test',
    is_background: true,
  });
  expect(toOwnInput({ ...call.input, run_in_background: false }, view, call)).toEqual({
    command: 'npm start',
    is_background: false,
  });
  expect(toOwnInput({ command: 'npm start' }, view, call)).toEqual({ command: 'npm start' });
});

test('a guard of another name for the tool receives its input unchanged', async () => {
  expect(await viewsOf(call, 'run_shell_command', '/work')).toEqual([{ name: 'run_shell_command', input: call.input }]);
});
