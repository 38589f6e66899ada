import { calls, lastText, says, startByteServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { collect, openFixture, results, writesNote } from './fixture.ts';

test('canUseTool allows a call with the input from the app', async () => {
  verifies('M-38', 'M-42', 'M-49', 'FB2');
  await using fixture = await openFixture((workspace) => [writesNote(workspace), says('done')]);
  const asked: unknown[] = [];
  const messages = await collect(
    fixture.query('write', {
      canUseTool: async (name, input) => {
        asked.push([name, input]);
        return { behavior: 'allow', updatedInput: { ...input, content: 'changed' } };
      },
    }),
  );
  expect(asked).toEqual([['write_file', { file_path: fixture.workspace.resolve('note.txt'), content: 'written' }]]);
  expect(await fixture.workspace.read('note.txt')).toBe('changed');
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'done' }]);
});

test('canUseTool denies a call, and the model reads the reason', async () => {
  verifies('M-41', 'M-49');
  await using fixture = await openFixture((workspace) => [writesNote(workspace), says('then not')]);
  const messages = await collect(
    fixture.query('write', { canUseTool: async () => ({ behavior: 'deny', message: 'not on my disk' }) }),
  );
  await expect(fixture.workspace.read('note.txt')).rejects.toThrow('ENOENT');
  expect(JSON.stringify(fixture.model.requests[1]?.messages.at(-1))).toContain('not on my disk');
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'then not' }]);
});

test('a denial with interrupt ends the turn without another model call', async () => {
  verifies('M-43', 'FB8');
  await using fixture = await openFixture((workspace) => [writesNote(workspace), says('never said')]);
  const messages = await collect(
    fixture.query('write', { canUseTool: async () => ({ behavior: 'deny', message: 'stop it', interrupt: true }) }),
  );
  expect(results(messages)).toMatchObject([{ subtype: 'interrupted', is_error: false }]);
  expect(fixture.model.requests).toHaveLength(1);
});

test('canUseTool answers a question of the model', async () => {
  const questions = [{ question: 'Which?', header: 'Color', options: [{ label: 'Red', description: 'warm' }] }];
  await using fixture = await openFixture(() => [
    calls({ name: 'ask_user_question', input: { questions } }),
    (request) => says(lastText(request)),
  ]);
  const messages = await collect(
    fixture.query('ask', {
      canUseTool: async (name, input) => ({
        behavior: 'allow',
        updatedInput: { ...input, answers: { [name]: 'no question', 0: 'Red' } },
      }),
    }),
  );
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'Which?\nRed' }]);
});

test('a callback that throws is a denial', async () => {
  verifies('M-50');
  await using fixture = await openFixture((workspace) => [writesNote(workspace), says('then not')]);
  await collect(
    fixture.query('write', {
      canUseTool: async () => {
        throw new Error('the dialog broke');
      },
    }),
  );
  await expect(fixture.workspace.read('note.txt')).rejects.toThrow('ENOENT');
  expect(JSON.stringify(fixture.model.requests[1]?.messages.at(-1))).toContain('the dialog broke');
});

test('a callback slower than timeout.canUseTool is a denial on both sides', async () => {
  verifies('M-05', 'FB4');
  await using fixture = await openFixture((workspace) => [writesNote(workspace), says('then not')]);
  const messages = await collect(
    fixture.query('write', { canUseTool: () => new Promise(() => undefined), timeout: { canUseTool: 300 } }),
  );
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'then not' }]);
  await expect(fixture.workspace.read('note.txt')).rejects.toThrow('ENOENT');
});

test('without a callback, calls that need permission are denied', async () => {
  verifies('CF-49', 'M-50');
  await using fixture = await openFixture((workspace) => [writesNote(workspace), says('then not')]);
  await collect(fixture.query('write'));
  await expect(fixture.workspace.read('note.txt')).rejects.toThrow('ENOENT');
});

test('the callback receives suggestions, and rules are applied before it', async () => {
  await using fixture = await openFixture((workspace) => [
    calls({ name: 'read_file', input: { file_path: workspace.resolve('a.txt') } }),
    writesNote(workspace),
    calls({ name: 'run_shell_command', input: { command: 'echo never' } }),
    says('done'),
  ]);
  await fixture.workspace.write('a.txt', 'hello');
  const asked: unknown[] = [];
  const messages = await collect(
    fixture.query('go', {
      excludeTools: ['run_shell_command(echo never)'],
      allowedTools: ['read_file'],
      canUseTool: async (name, input, { suggestions }) => {
        asked.push([name, suggestions?.map(({ type }) => type)]);
        return { behavior: 'allow', updatedInput: input };
      },
    }),
  );
  expect(asked).toMatchObject([['write_file', expect.arrayContaining(['allow', 'deny'])]]);
  expect(results(messages)).toMatchObject([{ permission_denials: [{ tool_name: 'run_shell_command' }] }]);
});

test('a provider failure is a result with an error, and the loop ends without a throw', async () => {
  verifies('FB9', 'GAP-40');
  await using fixture = await openFixture(() => [says('never')]);
  await using server = await startByteServer([
    { status: 401, headers: { 'content-type': 'application/json' }, chunks: ['{"error":{"message":"bad key"}}'] },
  ]);
  const env = { ...fixture.options.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const messages = await collect(fixture.query('hi', { env }));
  expect(results(messages)).toMatchObject([{ subtype: 'error_during_execution', is_error: true }]);
  expect(JSON.stringify(messages)).toContain('[API Error');
});
