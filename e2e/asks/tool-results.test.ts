import { getSessionMessages, type SDKMessage, TOOL_RESULT_SCHEMAS, toolResultOf } from '@qwen/sdk';
import { calls, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CLI, collect, openFixture } from '../spine/fixture.ts';

function resultsIn(messages: readonly SDKMessage[]): unknown[] {
  return messages.flatMap((message) => {
    if (message.type !== 'user' || !Array.isArray(message.message.content)) return [];
    return message.message.content.some(({ type }) => type === 'tool_result') ? [message.tool_use_result] : [];
  });
}

test('an app gets the structured result next to the text, under the names of either program', async () => {
  await using fixture = await openFixture([
    calls({ name: 'run_shell_command', input: { command: 'echo out; exit 3' } }),
    calls({ name: 'edit', input: { file_path: 'a.txt', old_string: 'one', new_string: 'two' } }),
    says('done'),
  ]);
  await fixture.workspace.write('a.txt', 'one\n');
  const messages = await collect(fixture.query('go', { permissionMode: 'yolo', toolNames: 'claude' }));
  const [ran, edited] = resultsIn(messages);
  expect(toolResultOf('run_shell_command', { name: 'Bash', result: ran })).toMatchObject({
    stdout: 'out\n',
    exitCode: 3,
  });
  expect(toolResultOf('edit', { name: 'Edit', result: edited })?.structuredPatch).toEqual([
    { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-one', '+two'] },
  ]);
  expect(Object.keys(TOOL_RESULT_SCHEMAS.edit.properties)).toEqual(
    expect.arrayContaining(Object.keys(edited as object)),
  );
});

test('a call that failed, was denied or has a huge result has only text', async () => {
  const edits = Array.from({ length: 3 }, (_, index) => ({
    name: 'write_file',
    input: { file_path: `${index}.txt`, content: 'x'.repeat(250_000) },
  }));
  await using fixture = await openFixture([
    calls({ name: 'read_file', input: { file_path: 'missing.txt' } }),
    calls({ name: 'write_file', input: { file_path: 'b.txt', content: 'no' } }),
    calls({ name: 'write_file', input: { file_path: 'c.txt', content: 'x'.repeat(600_000) } }),
    calls(...edits),
    says('done'),
  ]);
  const options = { permissionMode: 'yolo', excludeTools: ['write_file(b.txt)'] } as const;
  const [missing, denied, huge, ...others] = resultsIn(await collect(fixture.query('go', options)));
  expect([missing, denied, huge]).toEqual([undefined, undefined, undefined]);
  expect(others.map((result) => toolResultOf('write_file', { name: 'Write', result })?.type)).toEqual([
    'create',
    'create',
    'create',
  ]);
});

test('stored messages have it too, if it is short', async () => {
  await using fixture = await openFixture([
    calls({ name: 'run_shell_command', input: { command: 'echo out' } }),
    calls({ name: 'write_file', input: { file_path: 'c.txt', content: 'x'.repeat(20_000) } }),
    says('done'),
  ]);
  const sent = await collect(fixture.query('go', { permissionMode: 'yolo' }));
  const id = sent.find(({ type }) => type === 'result')?.session_id ?? '';
  const { messages } = await getSessionMessages(id, {
    env: fixture.env,
    cwd: fixture.workspace.path,
    pathToQwenExecutable: CLI,
  });
  expect(resultsIn(messages)).toEqual([resultsIn(sent)[0], undefined]);
  expect(resultsIn(sent)[1]).toMatchObject({ type: 'create' });
});
