import { expect, test } from 'vitest';
import { fakeHost, messageOf, typeIn } from '../../test/fake-host.js';

test('/tasks lists commands, shows their output and stops them', async () => {
  const fake = fakeHost();
  expect(await messageOf('/tasks', fake)).toMatch(
    /task_1 {2}running for 61 seconds {2}npm run dev\n.*task_2 {2}failed after 61 seconds \(exit code 1\)/,
  );
  expect(await messageOf('/tasks output task_2', fake)).toBe('output of task_2');
  expect(await messageOf('/tasks stop task_1', fake)).toContain('task_1  stopped after');
  for (const wrong of ['/tasks stop', '/tasks kill task_1', '/tasks stop a b']) {
    expect(await typeIn(wrong, fake)).toMatchObject({ level: 'error' });
  }
});
