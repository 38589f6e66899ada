import { readdir } from 'node:fs/promises';
import { calls, lastText, says, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openBench } from '../run-app.ts';

// Programs of the Claude Agent SDK that steer a session while it runs, or read what it did.

const write = (path: string, content = 'x') => calls({ name: 'write_file', input: { file_path: path, content } });
const shell = (command: string) => calls({ name: 'run_shell_command', input: { command } });

test('a person answers questions, changes a call, allows another for good, and never sees a deletion', async () => {
  const question = {
    question: 'Which color?',
    header: 'Color',
    options: [
      { label: 'Red', description: 'warm' },
      { label: 'Blue', description: 'cold' },
    ],
    multiSelect: false,
  };
  await using bench = await openBench((folder) => [
    shell('touch always.txt'),
    shell('touch always.txt'),
    shell('touch a.txt'),
    write(folder.resolve('no.txt')),
    write(folder.resolve('yes.txt')),
    calls({ name: 'ask_user_question', input: { questions: [question] } }),
    shell('rm -rf yes.txt'),
  ]);
  const input = ['always', 'run touch b.txt', 'no', 'yes', 'Blue'];
  const { workspace } = bench;
  expect(await bench.run('claude-agent-sdk/apps/approvals', { input })).toEqual([
    '? Bash {"command":"touch always.txt"} [allow Bash(touch always.txt)]',
    expect.stringMatching(/^\? Bash \{"command":"touch a.txt"\} \[allow Bash/),
    `? Write ${JSON.stringify({ file_path: workspace.resolve('no.txt'), content: 'x' })} [allow Edit(/no.txt)]`,
    `? Write ${JSON.stringify({ file_path: workspace.resolve('yes.txt'), content: 'x' })} [allow Edit(/yes.txt)]`,
    '? Which color?',
    'result error_during_execution',
    'denied Write',
    'denied Bash',
  ]);
  expect((await readdir(workspace.path)).toSorted()).toEqual(['always.txt', 'b.txt', 'yes.txt']);
  expect(bench.model.requests.map(lastText)).toContainEqual(expect.stringContaining('Blue'));
});

test('a plan is rejected, then approved', async () => {
  const plan = (text: string) => calls({ name: 'exit_plan_mode', input: { plan: text } });
  await using bench = await openBench((folder) => [
    write(folder.resolve('early.txt')),
    plan('Write a.txt'),
    plan('Write b.txt'),
    write(folder.resolve('b.txt')),
    says('Done.'),
  ]);
  const lines = await bench.run('claude-agent-sdk/apps/approvals', {
    args: ['Plan it.', 'plan'],
    input: ['no', 'yes', 'yes'],
  });
  expect(lines.map((line) => line.replace(/ \{.*/, ''))).toEqual([
    '? Plan: Write a.txt',
    '? Plan: Write b.txt',
    '? Write',
    'result success',
    'denied Write',
    'denied ExitPlanMode',
  ]);
  expect(await readdir(bench.workspace.path)).toEqual(['b.txt']);
});

test('data of a given form is extracted at the second attempt', async () => {
  const lines = [
    { text: 'a', amount: 2 },
    { text: 'b', amount: 3 },
  ];
  await using bench = await openBench((folder) => [
    calls({ name: 'read_file', input: { file_path: folder.resolve('invoice.txt') } }),
    calls({ name: 'structured_output', input: { number: 'x' } }),
    calls({ name: 'structured_output', input: { number: 12, customer: 'Ada', lines } }),
  ]);
  const settings = { modelOptions: { prices: { scripted: { input: 1, output: 2 } } } };
  await bench.home.write('.qwen/settings.json', JSON.stringify(settings));
  await bench.workspace.write('invoice.txt', 'Invoice 12');
  expect(await bench.run('claude-agent-sdk/apps/extract')).toEqual(['Invoice 12 of Ada: 5']);
});

test('data that never has the given form is an error with the name that the app knows', async () => {
  await using bench = await openBench(() => [calls({ name: 'structured_output', input: { number: 'x' } })]);
  const settings = { modelOptions: { prices: { scripted: { input: 1, output: 2 } } } };
  await bench.home.write('.qwen/settings.json', JSON.stringify(settings));
  expect(await bench.run('claude-agent-sdk/apps/extract')).toEqual(['The model did not produce valid data.']);
});

test('a policy hides secrets, moves writes into its folder and asks for a review', async () => {
  await using bench = await openBench((folder) => [
    shell('cat secret.txt'),
    calls({ name: 'read_file', input: { file_path: folder.resolve('secret.txt') } }),
    write(folder.resolve('a.txt')),
    shell('exit 3'),
    says('Finished.'),
    write(folder.resolve('REVIEW.md')),
    says('Reviewed.'),
  ]);
  await bench.workspace.write('secret.txt', 'the key is sk-abc123');
  expect(await bench.run('claude-agent-sdk/apps/policy')).toEqual([
    'session SessionStart startup',
    'Bash failed: true',
    'about to stop: Finished.',
    'Reviewed.',
    'session SessionEnd prompt_input_exit',
  ]);
  const seen = JSON.stringify(bench.model.requests);
  expect(seen).toContain('the key is [secret]');
  expect(seen).toContain('The file contains secrets.');
  expect(seen).toContain(`The office is ${bench.workspace.path}.`);
  expect(seen).not.toContain('sk-abc123');
  expect(await readdir(bench.workspace.path)).toEqual(['sandbox', 'secret.txt']);
  expect((await readdir(bench.workspace.resolve('sandbox'))).toSorted()).toEqual(['REVIEW.md', 'a.txt']);
});

test('a policy blocks a prompt before the model reads it', async () => {
  await using bench = await openBench(() => [says('never asked for')]);
  expect(await bench.run('claude-agent-sdk/apps/policy', { args: ['Use sk-abc123.'] })).toContainEqual(
    expect.stringContaining('The prompt contains a secret.'),
  );
  expect(bench.model.requests).toEqual([]);
});

test('a console discovers commands and models, shows answers as they arrive, compacts and interrupts', async () => {
  await using bench = await openBench(
    (folder) => [
      calls({ name: 'list_directory', input: { path: folder.path } }),
      says('Empty.'),
      write(folder.resolve('note.txt')),
      says('Written.'),
      says('A summary.'),
      says('one '.repeat(3000)),
    ],
    { tokensPerSecond: 100 },
  );
  const lines = await bench.run('claude-agent-sdk/apps/live');
  expect(lines).toEqual([
    '/compact',
    'plain',
    'agents: general-purpose,explore,plan',
    'account: OPENAI_API_KEY',
    'the same commands: true',
    'init scripted plan true',
    '[LS]',
    'path',
    'Empty.',
    'result success false',
    'init another acceptEdits true',
    '[Write]',
    'file_path,content',
    'Written.',
    'result success false',
    'compacts: manual',
    'compacted: manual true',
    'init another acceptEdits true',
    'result success false',
    'init another acceptEdits true',
    expect.stringMatching(/^(one ?){1,2000}$/),
    'result error_during_execution true',
  ]);
  expect(await readdir(bench.workspace.path)).toEqual(['note.txt']);
  expect(bench.model.requests.map(({ model }) => model).slice(0, 4)).toEqual([
    'scripted',
    'scripted',
    'another',
    'another',
  ]);
});

test('servers are added, removed and switched off between turns', async () => {
  await using other = await temporaryFolder();
  const now = calls({ name: 'mcp__clock__now', input: {} });
  await using bench = await openBench(() => [
    calls({ name: 'mcp__weather__forecast', input: { city: 'Bern' } }),
    says('Sunny.'),
    now,
    says('Noon.'),
    now,
    says('Gone.'),
  ]);
  expect(await bench.run('claude-agent-sdk/apps/servers', { args: [other.path] })).toEqual([
    'Sunny in Bern.',
    'weather connected, missing failed',
    'added clock removed weather failed ',
    'noon',
    'missing failed, clock failed',
    'error',
    'started 1, stderr true',
  ]);
});

test('sessions are resumed, continued, forked, renamed, listed and read', async () => {
  await using bench = await openBench(() => [
    ({ messages }) => says(`${messages.filter(({ role }) => role === 'user').length} prompts`),
  ]);
  expect(await bench.run('claude-agent-sdk/apps/sessions')).toEqual([
    'My name is Ada. -> 1 prompts',
    'What is my name? -> 2 prompts',
    'resumed the same session: true',
    'Call me Grace. -> 3 prompts',
    'forked another session: true',
    'And now? -> 4 prompts',
    'copied: true',
    'sessions: 3',
    'copy: A copy | A copy | My name is Ada. | true',
    'first: About Ada | About Ada | My name is Ada. | true',
    'fork: - | My name is Ada. | My name is Ada. | true',
    'info: About Ada true',
    'user: My name is Ada.',
    'assistant: 1 prompts',
    'user: What is my name?',
    'assistant: 2 prompts',
    'fourth message: assistant',
  ]);
});

test('a review reads structured results of tools by the names of their types', async () => {
  await using bench = await openBench((folder) => [
    shell('cat a.txt'),
    calls({ name: 'read_file', input: { file_path: folder.resolve('a.txt') } }),
    calls({ name: 'edit', input: { file_path: folder.resolve('a.txt'), old_string: 'one', new_string: 'two' } }),
    write(folder.resolve('b.md'), 'hello'),
    calls({ name: 'glob', input: { pattern: '*.txt' } }),
    calls({ name: 'grep_search', input: { pattern: 'two' } }),
    calls({ name: 'todo_write', input: { todos: [{ id: '1', content: 'Rest', status: 'pending' }] } }),
    says('Done.'),
  ]);
  await bench.workspace.write('a.txt', 'one\n');
  expect(await bench.run('claude-agent-sdk/apps/review')).toEqual([
    '$ cat a.txt: one false',
    'read 1 of 1: one',
    'create 5 characters',
    '1 a.txt false',
    'matches in 1, content',
    'pending Rest',
    'edited a.txt one -one +two of 4',
  ]);
});

test('sessions of version 0.2 send several prompts, are guarded, and are resumed', async () => {
  await using bench = await openBench((folder) => [
    write(folder.resolve('bees.md')),
    write(folder.resolve('bees.js')),
    says('Bees dance.'),
    says('Ants march.'),
    says('Bees and ants.'),
    says('Nothing.'),
  ]);
  expect(await bench.run('claude-agent-sdk/apps/notes-v2')).toEqual([
    'Bees dance. | Ants march.',
    'true 1',
    'Nothing.',
  ]);
  expect(await readdir(bench.workspace.path)).toEqual(['bees.md']);
  expect(bench.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  expect(bench.model.requests.at(-2)?.messages.filter(({ role }) => role === 'user')).toHaveLength(3);
});
