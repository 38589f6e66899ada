import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { calls, lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, openCliFixture, prompt, QUESTION, RESULT } from './cli-fixture.js';

const EDIT = { name: 'edit', input: { file_path: 'sub/x.txt', old_string: 'one', new_string: 'two' } };
const WRITE = { name: 'write_file', input: { file_path: 'sub/x.txt', content: 'two' } };
const SHELL = { name: 'run_shell_command', input: { command: 'echo two > x.txt', directory: 'sub' } };
const IN_ROOT = { name: 'run_shell_command', input: { command: 'echo two > sub/x.txt' } };

test.each([
  ['sub', EDIT],
  ['sub', WRITE],
  ['sub', SHELL],
  ['.', EDIT],
  ['.', WRITE],
  ['.', IN_ROOT],
])('replacing %s by a link while a question is open does not redirect the approved call: %j', async (swapped, call) => {
  verifies('S35');
  const inputs = [undefined, call.input, { ...call.input, description: 'x' }];
  const turn = [calls({ name: 'read_file', input: { file_path: 'sub/x.txt' } }), calls(call), says('done')];
  await using fixture = await openCliFixture(inputs.flatMap(() => turn));
  const { workspace } = fixture;
  for (const folder of ['project/sub', 'outside/sub']) {
    await mkdir(workspace.resolve(folder), { recursive: true });
    await workspace.write(`${folder}/x.txt`, 'one');
  }
  const real = workspace.resolve('project', swapped);
  const agent = await fixture.startMachine([], { cwd: workspace.resolve('project') });
  for (const updatedInput of inputs) {
    agent.send(prompt('change it'));
    const { request_id } = await agent.next(QUESTION);
    await rename(real, workspace.resolve('aside'));
    await symlink(workspace.resolve('outside', swapped), real);
    agent.send(answer(request_id, { behavior: 'allow', ...(updatedInput && { updatedInput }) }));
    await agent.next(RESULT);
    expect(await workspace.read('outside/sub/x.txt')).toBe('one');
    const told = fixture.model.requests.at(-1);
    expect(told && lastText(told)).toMatch(/replaced by a link|leads elsewhere/);
    await rm(real);
    await rename(workspace.resolve('aside'), real);
  }
});
