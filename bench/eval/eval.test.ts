import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { hasEndpoint, listTasks, runTask } from './run-task.ts';

const OPTIONS = { isScripted: true, timeoutMs: 60_000 };

test('has at least 20 tasks', async () => {
  expect((await listTasks()).length).toBeGreaterThanOrEqual(20);
});

test.for(await listTasks())('%s fails at the start and passes with its solution', async (task) => {
  const { execFileSync } = await import('node:child_process');
  await using folder = await temporaryFolder();
  const part = (name: string) => fileURLToPath(new URL(`./tasks/${task}/${name}`, import.meta.url));
  const check = () => execFileSync(process.execPath, [part('check.mjs')], { cwd: folder.path, stdio: 'pipe' });
  await cp(part('start'), folder.path, { recursive: true });
  expect(check).toThrow('Command failed');
  await cp(part('solution'), folder.path, { recursive: true });
  check();
});

test('the program solves a task with the scripted model; result and trajectory contain the costs', async () => {
  await using folder = await temporaryFolder();
  const result = await runTask('keep-crlf', { ...OPTIONS, out: folder.path });
  expect(result).toMatchObject({ task: 'keep-crlf', passed: true, turns: 3, inputTokens: expect.any(Number) });
  expect(result).not.toHaveProperty('costUsd');
  expect(JSON.parse(await folder.read('keep-crlf.atif.json'))).toMatchObject({
    schema_version: 'ATIF-v1.7',
    steps: [
      { step_id: 1, source: 'user', message: expect.stringContaining('Windows line endings') },
      { step_id: 2, source: 'agent', tool_calls: [{ function_name: 'read_file' }], observation: {} },
      { step_id: 3, source: 'agent', tool_calls: [{ function_name: 'write_file' }], observation: {} },
      { step_id: 4, source: 'agent', message: 'Done.' },
    ],
    final_metrics: { total_steps: 4 },
  });
});

test('an endpoint in the environment turns the run into a measurement', () => {
  expect(hasEndpoint({ PATH: '/bin' })).toBe(false);
  expect(hasEndpoint({ OPENAI_BASE_URL: '' })).toBe(false);
  expect(hasEndpoint({ OPENAI_BASE_URL: 'http://localhost:11434/v1' })).toBe(true);
});
