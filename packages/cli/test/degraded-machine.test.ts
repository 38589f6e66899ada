import { readdirSync, readFileSync } from 'node:fs';
import { calls, childrenOf, says, startLineProcess, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answerTo, BIN, control, openCliFixture, prompt, RESULT, SDK_FLAGS } from './cli-fixture.js';

/** The state letter of a process: `T` is stopped. */
const stateOf = (pid: number) => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];

test('a process suspended during a question does not time out after it resumes', async () => {
  verifies('F54');
  await using fixture = await openCliFixture([
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'a' } }),
    says('Written.'),
  ]);
  const agent = await fixture.startMachine();
  agent.send(prompt('write'));
  const question = await agent.next({ type: 'control_request', request: { subtype: 'can_use_tool' } });
  agent.kill('SIGSTOP');
  await expect.poll(() => stateOf(agent.pid), { timeout: 10_000 }).toBe('T');
  agent.send({
    type: 'control_response',
    response: { subtype: 'success', request_id: question['request_id'], response: { behavior: 'allow' } },
  });
  agent.send(control('ask', { subtype: 'supported_commands' }));
  agent.kill('SIGCONT');
  await agent.next(answerTo('ask'));
  await agent.next(RESULT);
  expect(await fixture.workspace.read('a.txt')).toBe('a');
});

test('tools that use all processors do not delay control requests and interrupts', async () => {
  verifies('F144');
  const command = 'for n in 1 2 3 4; do (echo >> burning; while :; do :; done) & done; wait';
  await using fixture = await openCliFixture([calls({ name: 'run_shell_command', input: { command } })]);
  const agent = await fixture.startMachine(['--yolo']);
  agent.send(prompt('burn'));
  const burning = () => fixture.workspace.read('burning').catch(() => '');
  await expect.poll(burning, { timeout: 10_000 }).toBe('\n\n\n\n');
  const tools = childrenOf(agent.pid);
  agent.send(control('ask', { subtype: 'supported_commands' }));
  await agent.next(answerTo('ask'));
  agent.send(control('stop', { subtype: 'interrupt' }));
  await agent.next(answerTo('stop'));
  await agent.next({ ...RESULT, subtype: 'interrupted' });
  for (const pid of tools) await waitUntilGone(pid, { deadlineMs: 2_000 });
});

test('with few file descriptors left, tools fail with a clear error and the session continues', async () => {
  verifies('F140');
  const input = { command: 'cat /dev/null' };
  await using fixture = await openCliFixture([
    calls(...Array.from({ length: 8 }, () => ({ name: 'run_shell_command', input }))),
    says('I saw it fail.'),
    says('Still here.'),
  ]);
  await using agent = await startLineProcess({
    command: 'prlimit',
    args: ['--nofile=28', process.execPath, BIN, ...SDK_FLAGS, '--yolo'],
    env: { ...fixture.env, PATH: process.env['PATH'] ?? '' },
    cwd: fixture.workspace.path,
  });
  agent.send(prompt('many at once'));
  const results = await agent.next({ type: 'user' });
  expect(JSON.stringify(results)).toContain('tool_result');
  await agent.next({ ...RESULT, subtype: 'success', result: 'I saw it fail.' });
  expect(JSON.stringify(agent.lines.map(({ json }) => json))).toContain('EMFILE');
  agent.send(prompt('and now?'));
  await agent.next({ ...RESULT, subtype: 'success', result: 'Still here.' });
});

test("neither our command line nor a tool's contains a key", async () => {
  verifies('S109');
  const key = 'sk-canary-on-the-command-line';
  await using fixture = await openCliFixture([
    calls({ name: 'run_shell_command', input: { command: 'echo > runs; sleep 1000' } }),
  ]);
  const agent = await fixture.startMachine(['--yolo'], { env: { ...fixture.env, OPENAI_API_KEY: key } });
  agent.send(prompt('sleep'));
  await expect.poll(() => fixture.workspace.read('runs').catch(() => ''), { timeout: 10_000 }).toBe('\n');
  const commandLines = [agent.pid, ...childrenOf(agent.pid)].map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  expect(commandLines.length).toBeGreaterThan(1);
  expect(commandLines.join('\n')).not.toContain(key);
});

test('an aborted program leaves no report behind', async () => {
  verifies('S111');
  await using fixture = await openCliFixture([calls({ name: 'run_shell_command', input: { command: 'sleep 1000' } })]);
  const agent = await fixture.startMachine(['--yolo']);
  agent.send(prompt('sleep'));
  await agent.next({ type: 'assistant' });
  const before = readdirSync(fixture.workspace.path).toSorted();
  agent.kill('SIGABRT');
  expect(await agent.exited).toMatchObject({ signal: 'SIGABRT' });
  expect(readdirSync(fixture.workspace.path).toSorted()).toEqual(before);
});
