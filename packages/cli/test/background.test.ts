import { calls, processGone, says, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliFixture, openCliFixture, prompt, RESULT } from './cli-fixture.js';

const inBackground = (command: string) =>
  calls({ name: 'run_shell_command', input: { command, is_background: true, description: 'Serve' } });
const SERVES = inBackground('sleep 1000 & echo $$ $! > pids; wait');
const STARTED = { type: 'system', subtype: 'task_started' };
const ENDED = { type: 'system', subtype: 'task_notification' };

async function pidsOf(fixture: CliFixture): Promise<number[]> {
  await expect.poll(() => fixture.workspace.read('pids').catch(() => ''), { timeout: 10_000 }).toMatch(/\d+ \d+\n/);
  return (await fixture.workspace.read('pids')).trim().split(' ').map(Number);
}

test('a command in the background survives the turn, and ends with the program, even after kill -9', async () => {
  await using fixture = await openCliFixture([SERVES, says('started')]);
  const agent = await fixture.startMachine(['--yolo']);
  agent.send(prompt('serve'));
  const { task_id: id } = await agent.next(STARTED);
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success', result: 'started' });
  const pids = await pidsOf(fixture);
  expect(pids.map(processGone)).toEqual([false, false]);
  expect(JSON.stringify(fixture.model.requests.at(-1))).toContain(`It runs in the background as ${String(id)}.`);
  process.kill(agent.pid, 'SIGKILL');
  await agent.exited;
  await Promise.all(pids.map((pid) => waitUntilGone(pid, { deadlineMs: 5000 })));
});

test('it ends with the session, and delays neither its end nor the answer', async () => {
  await using fixture = await openCliFixture([SERVES, says('started')]);
  const program = await fixture.start(['--yolo', '-p', 'serve']);
  program.endInput();
  expect(await program.exited).toEqual({ code: 0, signal: null });
  const pids = await pidsOf(fixture);
  await Promise.all(pids.map((pid) => waitUntilGone(pid, { deadlineMs: 2000 })));
});

test('its end is reported between turns, and to the model with the next prompt', async () => {
  await using fixture = await openCliFixture([
    inBackground('until [ -e go ]; do sleep 0.05; done; exit 3'),
    says('started'),
    says('seen'),
  ]);
  const agent = await fixture.startMachine(['--yolo']);
  agent.send(prompt('serve'));
  await agent.next(RESULT);
  await fixture.workspace.write('go', '');
  const ended = await agent.next(ENDED);
  expect(ended).toMatchObject({
    status: 'failed',
    description: 'Serve',
    task_type: 'local_bash',
    output_file: '',
    summary: 'Background command failed (exit code 3): Serve',
  });
  agent.send(prompt('and?'));
  await agent.next(RESULT);
  expect(JSON.stringify(fixture.model.requests.at(-1))).toContain(
    `The background command ${String(ended['task_id'])} failed (exit code 3).`,
  );
});

test('a command in the background needs the same permission', async () => {
  await using fixture = await openCliFixture([SERVES, says('denied')]);
  const program = await fixture.start(['-p', 'serve', '--output-format', 'json']);
  program.endInput();
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.lines.map(({ text }) => text).join('')).toContain('"permission_denials":[{');
  await expect(fixture.workspace.read('pids')).rejects.toThrow('ENOENT');
});
